" Programs of lathe (.fun). Made by `lathe --editor-install vim` from its tables of names.
if exists("b:current_syntax") | finish | endif
syntax keyword latheKeyword @keywords@
syntax keyword latheType @types@ size
syntax keyword lathePrimitive @primitives@
syntax keyword lathePrelude @prelude@
syntax match latheSize "\<\u\w*\>"
syntax match latheNumber "\<\d[0-9_]*\(\.\d\+\)\?\([eE][-+]\?\d\+\)\?\([iuf]\d\+\)\?\>"
syntax match latheNumber "\<0x\x\+\>"
syntax match latheOperator "[-+*/%=<>!&|$.:\\λ∘→]\+"
syntax match latheComment "#.*" contains=latheTodo
syntax keyword latheTodo TODO FIXME contained
highlight default link latheKeyword Keyword
highlight default link latheType Type
highlight default link lathePrimitive Function
highlight default link lathePrelude Identifier
highlight default link latheSize Constant
highlight default link latheNumber Number
highlight default link latheOperator Operator
highlight default link latheComment Comment
highlight default link latheTodo Todo
let b:current_syntax = "lathefun"
