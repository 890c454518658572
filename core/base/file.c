/* file: files that somebody named, read whole and within bounds, and given up when the user wants it. */
#include "file.h"

#include <limits.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SLICE_MS = 100 };

static bool cannot_read(Diag *diag, const char *file, int error) { return diag_fail(diag, E06, "cannot read %s: %s", file, strerror(error)); }

static bool read_all(Diag *diag, const char *file, int fd, const volatile int *stop, Buf *out)
{
    char piece[1 << 16];
    struct stat st;
    if (fstat(fd, &st)) return cannot_read(diag, file, errno);
    if (S_ISDIR(st.st_mode)) return cannot_read(diag, file, EISDIR);
    bool proper = S_ISREG(st.st_mode);
    if (!proper && !stop) return diag_fail(diag, E06, "cannot read %s: it is no file proper", file);
    while (out->len <= FILE_BYTES_MAX) {
        /* Is there something to read, or the end? A pipe is opened without waiting for its other side: that is waited for here. */
        struct pollfd p = {.fd = fd, .events = POLLIN};
        while (stop && !*stop && !proper && poll(&p, 1, SLICE_MS) <= 0) continue;
        if (stop && *stop) return diag_fail(diag, E25, "interrupted while %s was read", file);
        ssize_t n = read(fd, piece, sizeof piece);
        if (n == 0) return true;
        if (n > 0) buf_write(out, piece, (size_t)n);
        else if (errno != EINTR && errno != EAGAIN) return cannot_read(diag, file, errno);
    }
    return diag_fail(diag, E06, "%s is larger than %d MiB", file, FILE_BYTES_MAX >> 20);
}

char *file_read(Diag *diag, Arena *arena, const char *file, const volatile int *stop, size_t *len)
{
    static const char mark[] = "\xef\xbb\xbf";
    LOCAL(buf_free) Buf b = {0};
    int fd = open(file, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    bool ok = fd >= 0 ? read_all(diag, file, fd, stop, &b) : cannot_read(diag, file, errno);
    if (fd >= 0) close(fd);
    size_t skip = strncmp(buf_text(&b), mark, sizeof mark - 1) ? 0 : sizeof mark - 1;
    char *text = ok ? arena_strndup(arena, buf_text(&b) + skip, b.len - skip) : NULL;
    if (len) *len = b.len - skip;
    return text;
}

char *text_read(Diag *diag, Arena *arena, const char *file, const volatile int *stop, size_t *len)
{
    size_t n;
    char *text = file_read(diag, arena, file, stop, &n);
    if (len) *len = n;
    if (!text || !memchr(text, 0, n)) return text;
    return diag_fail(diag, E03, "%s holds a NUL byte: it is no text", file), NULL;
}

bool file_write(Diag *diag, const char *file, const void *data, size_t size)
{
    FILE *f = fopen(file, "wb");
    bool ok = f && fwrite(data, 1, size, f) == size;
    if (f) ok = fclose(f) == 0 && ok;
    return ok || diag_fail(diag, E06, "cannot write %s: %s", file, strerror(errno));
}

bool file_ends(const char *file, const char *ending)
{
    const char *dot = strrchr(file, '.');
    return dot && !strcmp(dot, ending);
}

const char *file_of_program(Arena *a, const char *path)
{
    char self[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    self[n > 0 ? n : 0] = 0;
    char *slash = strrchr(self, '/');
    return arena_printf(a, "%.*s/%s", slash ? (int)(slash - self) : 0, self, path);
}
