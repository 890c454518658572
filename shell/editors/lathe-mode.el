;;; lathe-mode.el --- programs (.fun) and scripts (.lathe, .session) of lathe  -*- lexical-binding: t -*-
;; Made by `lathe --editor-install emacs` from its tables of names. `M-x eglot` starts `lathe --lsp`.

(defvar lathe-syntax-table
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?# "<" table)
    (modify-syntax-entry ?\n ">" table)
    (modify-syntax-entry ?_ "w" table)
    (modify-syntax-entry ?\\ "." table)
    (modify-syntax-entry ?\" "\"" table)
    table))

(defvar lathe-fun-words
  (list (cons (regexp-opt '(@keywords"@) 'words) 'font-lock-keyword-face)
        (cons (regexp-opt '(@types"@ "size") 'words) 'font-lock-type-face)
        (cons (regexp-opt '(@primitives"@) 'words) 'font-lock-function-name-face)
        (cons (regexp-opt '(@prelude"@) 'words) 'font-lock-builtin-face)
        '("\\_<let\\_>[ \t]+\\(\\w+\\)" 1 font-lock-function-name-face t)
        '("\\<[A-Z][A-Za-z0-9_]*\\>" . font-lock-constant-face)))

(defvar lathe-command-words
  (append (list (cons (concat "\\(?:^\\|;\\)[ \t]*\\(" (regexp-opt '(@commands"@)) "\\)\\_>") '(1 font-lock-keyword-face))
                '("[ \t]\\(--?[a-z][-a-z]*\\)" 1 font-lock-preprocessor-face)
                '("@[A-Za-z0-9._]+" . font-lock-variable-name-face))
          lathe-fun-words))

(define-derived-mode lathe-fun-mode prog-mode "lathe-fun"
  "Programs of lathe."
  :syntax-table lathe-syntax-table
  (setq-local comment-start "# ")
  (setq-local font-lock-defaults '(lathe-fun-words nil nil)))

(define-derived-mode lathe-mode prog-mode "lathe"
  "Scripts and sessions of lathe."
  :syntax-table lathe-syntax-table
  (setq-local comment-start "# ")
  (setq-local font-lock-defaults '(lathe-command-words nil nil)))

(add-to-list 'auto-mode-alist '("\\.fun\\'" . lathe-fun-mode))
(add-to-list 'auto-mode-alist '("\\.\\(lathe\\|session\\)\\'" . lathe-mode))
(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs '((lathe-fun-mode lathe-mode) . ("lathe" "--lsp"))))

(provide 'lathe-mode)
