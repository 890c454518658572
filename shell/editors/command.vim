" Scripts and sessions of lathe (.lathe, .session). Made by `lathe --editor-install vim` from its tables of names.
if exists("b:current_syntax") | finish | endif
runtime! syntax/lathefun.vim
unlet b:current_syntax
syntax match latheCommand "\v(^\s*|;\s*)@<=<(@commands|@)>"
syntax match latheFlag "\s\@<=--\?[a-z][-a-z]*"
syntax match lathePlace "\s\@<=\(/[a-z0-9]*\)\+"
syntax match latheVersion "@[A-Za-z0-9._]\+"
syntax region latheString start=+"+ end=+"+ oneline
syntax match latheCheck "  #\x\{8}$"
highlight default link latheCommand Statement
highlight default link latheFlag Special
highlight default link lathePlace Identifier
highlight default link latheVersion Tag
highlight default link latheString String
highlight default link latheCheck Comment
let b:current_syntax = "lathe"
