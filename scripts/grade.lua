-- grade: does what was handed in with `lesson submit` again, from the lesson's own files, and judges it.
--
--     lathe --restricted --json -f scripts/grade.lua SUBMISSION.session [LESSON]
--
-- Prints which parts are done, and why others are not; with --json as an object {lesson, parts, done, ok ...}. Exit code: 0 all
-- parts are done, 1 some are not, 3 one computes something else, 7 a step does not repeat or the file was changed. Lessons are
-- looked for in $LATHE_LESSONS and beside the program, or it is the folder LESSON: never where the submission says.

local file, lesson = ...
if not file then error("usage: lathe --restricted --json -f scripts/grade.lua SUBMISSION.session [LESSON]", 0) end

local report, failure = t.lesson("grade", file, lesson)
local text = report and tostring(report) or failure.text
if text and text ~= "" then print((text:gsub("\n$", ""))) end
return report, failure
