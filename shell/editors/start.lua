-- Neovim: errors, types under the cursor, completion and definitions of programs and scripts of lathe
vim.api.nvim_create_autocmd("FileType", {
  pattern = { "lathefun", "lathe" },
  callback = function(event)
    vim.lsp.start({ name = "lathe", cmd = { "lathe", "--lsp" }, root_dir = vim.fs.dirname(event.file) })
  end,
})
