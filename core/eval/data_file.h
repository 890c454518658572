/* data_file: values in files. The ending of a name says what is in it: .npy, an array as NumPy writes it, of version 1 to 3, in
 * either order of bytes and of dimensions; .pgm .ppm .pnm, a picture (P2 P3 P5 P6); any other, raw: little-endian scalars,
 * component after component.
 *
 * A file fits a type of one component whose lengths are its shape, a vector's width the last of them; or one of tuples of scalars
 * of one type, their number the last: complex64 is two f32 next to each other, (f32, f32); pictures are
 * [height][width] and [height][width][3], their samples as they stand, whatever their maximum. Elements of another type than
 * the component's are converted where that has every value of theirs. Raw files have no shape and fit by their size. */
#ifndef DATA_FILE_H
#define DATA_FILE_H

#include "eval.h"

enum { FILE_RANK = 16 };
typedef enum FileKind { FILE_RAW, FILE_NPY, FILE_PICTURE } FileKind;

/* What a file says it holds. */
typedef struct FileArray {
    FileKind kind;
    char letter;                         /* of the elements' type as NumPy has it: b i u f, V: bf16; 0: raw */
    int bytes;                           /* of an element */
    bool swapped, by_columns;            /* big-endian; the first index runs fastest, Fortran's order */
    bool complex;                        /* the last length is that of complex numbers, 2: their parts lie together in either order */
    int64_t digits;                      /* elements are decimal numbers up to this one, with blanks between; 0: bytes */
    int rank;
    int64_t dims[FILE_RANK], count;      /* count: their product; of raw files the bytes */
    size_t at;                           /* where the elements begin */
} FileArray;

FileKind file_kind(const char *name);
/* The header of a file. E06: it cannot be read, has none, or is cut short; E37: elements of a type that no scalar has. */
bool file_look(const char *name, FileArray *out, Diag *diag);
void file_array_print(const FileArray *a, Buf *out);                 /* "f64 [480][640] by columns" "4000 bytes" */

/* The only component of a type, or all those of tuples of alike scalars: its scalar and lengths, which may mention sizes. False: it has
 * several others, or too many. */
typedef struct TypeShape {
    Scalar scalar;
    int rank, width;                     /* width of its vectors or tuples, behind the other lengths; 0: none */
    const Nat *dims[FILE_RANK];
} TypeShape;
bool type_shape(const Type *t, TypeShape *out);
bool file_element_fits(const FileArray *a, Scalar s);
bool file_is_values(const FileArray *a, Scalar s);                   /* its bytes, from `at` on, are the values as memory has them */
/* E37 with what was found and what is needed. needs: the type in words, for the message. */
bool file_misfit(const char *name, const FileArray *a, const char *needs, Scalar s, Diag *diag);

/* All values of d from a file: mapped where its bytes are those of the values and they are many, so that only what is looked
 * at is read; the file is not changed by what becomes of them. Who cuts a mapped file short ends this process (SIGBUS); what
 * replaces it, as data_write_file does, does no harm. E06 E37. */
bool data_read_file(Data *d, const char *name, Diag *diag);
/* Component `part` of d, -1: all, which raw files hold, and .npy files of alike scalars. Raw they are component after component, element
 * after element where the name ends in .cf32, .cf64 or .aos. Pictures take the nearest of 0 to 255, a bool
 * 0 or 255, nan 0. What has that name is replaced once all is written. E05: the file cannot hold it; E06. */
bool file_can_hold(const Type *t, int part, const char *name, Diag *diag);       /* E05; lengths are constant */
bool data_write_file(const Data *d, int part, const char *name, Diag *diag);

#endif
