-- grade: does what was handed in with `lesson submit` again, from the lesson's own files, and judges it.
--
--     lathe --restricted --json -f scripts/grade.lua SUBMISSION.session
--
-- Prints which parts are done, and why others are not; with --json as an object {lesson, parts, done, ok ...}. Exit code: 0 all
-- parts are done, 1 some are not, 3 one computes something else, 7 a step does not repeat or the file was changed. Lessons are
-- looked for in $LATHE_LESSONS and beside the program: never in the submission.

local file = ...
if not file then error("usage: lathe --restricted --json -f scripts/grade.lua SUBMISSION.session", 0) end

local report, failure = t.lesson("grade", file)
local text = report and tostring(report) or failure.text
if text and text ~= "" then print((text:gsub("\n$", ""))) end
return report, failure
