autocmd BufRead,BufNewFile *.fun set filetype=lathefun
autocmd BufRead,BufNewFile *.lathe,*.session set filetype=lathe
autocmd FileType lathefun,lathe setlocal commentstring=#\ %s comments=:#
