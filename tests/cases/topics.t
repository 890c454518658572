> help syntax
how a command line is read
  verb [--flag[=value]] [words]    a command; any unique beginning of its name or --flag will do; some have one letter
  a ; b                            one after the other; stops at the first failure
  # text                           a comment, where a word begins
  \ at the end, an open bracket    the command goes on in the next line; let, rule and macro also while they end too early
  cmd > file, >> file, | program   where the output goes
  =expr                            evaluate a Lua expression        !cmd    run a system command
  In a script an open bracket ends where a line begins, in its first column, with the full name of a command.
  In let, rule, macro, lua, = and ! the rest of the line belongs to the command: ; | > # are text there.
  see also: help places, help versions, help batch
> help places
how to point at a part of the term
  /in/f/body       a path of slots from the root; in/f from the focus; .. up; info lists the slots of a place
  :7               a label of the last display
  $acc             a mark (mark NAME)
  'map _ _'[2]     the 2nd match of a pattern, _ a hole; without [k] it must match once; [last]
  at PLACE         where a command works; without it at the focus (cd)
  Tab completes slots, marks, patterns.
  see also: help cd, help show, help syntax
> help strategies
how rules are combined
  apply takes a Lua expression over rules and macros:
  splitJoin(4), splitJoin{n = 4}   a rule with arguments; a size left out becomes a parameter (help param)
  a * b, seq(a, b)                 one after the other         a + b, alt(a, b)     the first that succeeds
  a^0, rep(a)                      as often as possible        a^-1, try(a)         or nothing
  topdown(a), bottomup(a), all(a), one(a), some(a), outermost(pat, a), innermost(a), nth(k, a), where(pat, a)
  A strategy that fails changes nothing and says which rule failed where. macro NAME(P) = STRATEGY names one.
  see also: list strategies, list macros, list rules, help apply
> help versions
the tree of versions
  Every step that succeeds makes a version @1 @2 ...; @0 is the source. Nothing is deleted by undo.
  @12 by number, @TAG, @ or the current, @^ its parent, @0 the source, @- the last visited
  undo, redo, goto @V move in the tree; log shows it; tags name versions (apply ... as TAG).
  A version is its term, its parameter values and facts; its hash is of these, so equal versions have equal hashes.
  see also: help undo, help goto, help log, help trust
> help trust
what a version rests on
  Every rule is builtin, checked (random instances agreed with the interpreter) or assumed (nobody tried).
  A version has the weakest trust of the rules on its way from @0; ? in the prompt means assumed, or kernels edited by hand (help code).
  check RULE tries a rule and makes it checked, or prints a counterexample. check @V compares a version with @0.
  run verifies every result against the interpreter, whatever the trust.
  see also: help check, help rule, list rules -v
> help batch
lathe without a terminal
  lathe FILE... -e LINE -f SCRIPT: with -e or -f, or without a terminal, there is no prompt and no question; the first
  failure ends it with its code (--keep-going: goes on, the worst code). Results go to standard output, errors to standard error.
  codes: 0 good; 1 does not apply, not legal; 2 usage, syntax, unknown name, file; 3 wrong result or counterexample;
  4 a kernel did not build; 5 a kernel died or timed out; 6 no device; 7 replay diverged; 70 internal; 130, 143 interrupted
  set times off prints - for all that is measured, so that output can be compared.
  see also: help json, help errors, lathe --help, lathe --man
> help json
output for programs
  lathe --json prints one object a command: v (1), seq, verb, cmd, ok, code, version, hash, data, diag, ms.
  data has fixed keys for each command; diag lists errors and warnings by id, with their notes (needs, found, near, try).
  lathe --schema prints the JSON Schema of these lines. lathe --json -f - is the way to drive lathe from another program.
  see also: help batch, help errors
> help errors
what an error says
  E21 mapFusion does not apply at /in      the id (help E21), and a line that stands alone
    rule, needs, found                     what was asked for, and what is there
    near                                   where it would apply
    try, or, next                          commands to paste; behind two blanks what they do
  list errors shows all ids. W.. are warnings: the command went on; set silence W08 hides one.
  A failing command changes nothing.
  see also: help batch (exit codes), help why
> list topics
  syntax          how a command line is read
  places          how to point at a part of the term
  strategies      how rules are combined
  versions        the tree of versions
  trust           what a version rests on
  batch           lathe without a terminal
  json            output for programs
  lessons         how to learn with lessons
  exploration     how search rules finds variants, and how to change that
  searching       a search strategy of your own, and what it can use
  errors          what an error says
> help /dimension
  mapGlobal       d:dim -> (a -> b) -> [n]a -> [n]b               map over the global work-items of dimension d
  mapWorkgroup    d:dim -> (a -> b) -> [n]a -> [n]b               map over the work-groups of dimension d
  mapLocal        d:dim -> (a -> b) -> [n]a -> [n]b               map over the work-items of a group, dimension d
