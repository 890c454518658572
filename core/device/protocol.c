/* protocol: frames of JSON and blobs over a socket, or over a pipe for each direction. */
#include "protocol.h"

#include <endian.h>
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

void frame_free(Frame *f)
{
    json_decref(f->head);
    for (int i = 0; i < f->blob_count; i++) free(f->blobs[i].data);
    free(f->blobs);
    *f = (Frame){0};
}

/* ---- sending ---- */

/* Drop the first n sent bytes from the parts; *count shrinks as parts are used up. */
static void advance(struct iovec **parts, int *count, size_t n)
{
    while (*count && n >= (*parts)->iov_len) {
        n -= (*parts)->iov_len;
        (*parts)++;
        (*count)--;
    }
    if (!*count) return;
    (*parts)->iov_base = (char *)(*parts)->iov_base + n;
    (*parts)->iov_len -= n;
}

bool frame_send(int fd, json_t *head, const Blob *blobs, int blob_count)
{
    size_t payload = 0;                  /* of the blobs, whose lengths go into head */
    bool fits = blob_count <= FRAME_BLOBS_MAX;
    for (int i = 0; i < blob_count; i++) {
        payload += blobs[i].bytes;
        fits = fits && blobs[i].bytes <= FRAME_MAX && payload <= FRAME_MAX;
    }
    json_object_set_new(head, "blobs", JSON_LIST(i, blob_count, json_integer((json_int_t)blobs[i].bytes)));
    char *text = fits ? json_dumps(head, JSON_COMPACT) : NULL;
    size_t len = text ? strlen(text) : 0;
    if (!text || len > FRAME_HEAD_MAX || payload + len + 4 > FRAME_MAX) {
        free(text);
        errno = EMSGSIZE;
        return false;
    }
    uint32_t words[2] = {htole32((uint32_t)(4 + len + payload)), htole32((uint32_t)len)};
    struct iovec parts[FRAME_BLOBS_MAX + 2] = {{words, sizeof words}, {text, len}};
    for (int i = 0; i < blob_count; i++) parts[i + 2] = (struct iovec){blobs[i].data, blobs[i].bytes};
    struct iovec *left = parts;
    int count = blob_count + 2;
    bool ok = true;
    for (advance(&left, &count, 0); ok && count;) {
        struct msghdr m = {.msg_iov = left, .msg_iovlen = (size_t)count};
        ssize_t n = sendmsg(fd, &m, MSG_NOSIGNAL);
        if (n < 0 && errno == ENOTSOCK) n = writev(fd, left, count);        /* of a worker, which ignores SIGPIPE */
        if (n >= 0) advance(&left, &count, (size_t)n);
        else ok = errno == EINTR;
    }
    int kept = errno;
    free(text);
    errno = kept;
    return ok;
}

/* ---- receiving ---- */

typedef struct Input {
    int fd;
    int64_t until;      /* clock_ms; negative: for ever */
} Input;

/* All n bytes; a socket is read as far as it has them, a pipe after waiting. */
static FrameStatus receive_all(const Input *in, void *to, size_t n)
{
    char *p = to;
    while (n) {
        ssize_t got = recv(in->fd, p, n, MSG_DONTWAIT);
        bool pipe = got < 0 && errno == ENOTSOCK;
        if (pipe || (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR))) {
            int64_t left = in->until < 0 ? -1 : in->until - clock_ms();
            struct pollfd ready = {.fd = in->fd, .events = POLLIN};
            int events = poll(&ready, 1, in->until < 0 ? -1 : left < 0 ? 0 : left > 1000000 ? 1000000 : (int)left);
            if (events < 0 && errno != EINTR) return FRAME_CLOSED;
            if (events <= 0 && in->until >= 0 && clock_ms() >= in->until) return FRAME_TIMEOUT;
            if (events <= 0 || !pipe) continue;
            got = read(in->fd, p, n);
            if (got < 0 && errno == EINTR) continue;
        }
        if (got <= 0) return FRAME_CLOSED;
        p += got;
        n -= (size_t)got;
    }
    return FRAME_OK;
}

/* "blobs" lists lengths that add up to what is left of the frame. */
static FrameStatus receive_blobs(const Input *in, int64_t left, Frame *f)
{
    const json_t *sizes = json_object_get(f->head, "blobs"), *size;
    size_t i, n = json_array_size(sizes);
    if (!json_is_array(sizes) || n > FRAME_BLOBS_MAX) return FRAME_BAD;
    json_array_foreach(sizes, i, size) {
        if (!json_is_integer(size) || json_integer_value(size) < 0 || json_integer_value(size) > left) return FRAME_BAD;
        left -= json_integer_value(size);
    }
    if (left) return FRAME_BAD;
    f->blobs = mem_alloc(sizeof *f->blobs * n);
    json_array_foreach(sizes, i, size) {
        Blob *b = &f->blobs[f->blob_count++];
        b->bytes = (size_t)json_integer_value(size);
        b->data = malloc(b->bytes ? b->bytes : 1);
        FrameStatus s = b->data ? receive_all(in, b->data, b->bytes) : FRAME_BAD;
        if (s != FRAME_OK) return s;
    }
    return FRAME_OK;
}

FrameStatus frame_receive(int fd, int timeout_ms, Frame *out)
{
    Input in = {fd, timeout_ms < 0 ? -1 : clock_ms() + timeout_ms};
    uint32_t words[2] = {0};
    *out = (Frame){0};
    FrameStatus s = receive_all(&in, words, sizeof words);
    uint32_t total = le32toh(words[0]), len = le32toh(words[1]);
    if (s == FRAME_OK && (total > FRAME_MAX || total < 4 || len > total - 4 || len > FRAME_HEAD_MAX)) s = FRAME_BAD;
    if (s == FRAME_OK) {
        char *text = malloc((size_t)len + 1);
        s = text ? receive_all(&in, text, len) : FRAME_BAD;
        out->head = s == FRAME_OK ? json_loadb(text, len, 0, NULL) : NULL;
        if (s == FRAME_OK && !json_is_object(out->head)) s = FRAME_BAD;
        free(text);
    }
    if (s == FRAME_OK) s = receive_blobs(&in, (int64_t)total - 4 - len, out);
    if (s != FRAME_OK) frame_free(out);
    return s;
}
