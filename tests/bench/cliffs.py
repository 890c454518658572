"""What bench_cliffs.sh prints: for each program and kind of device what `lower` makes, predicted, over the bound, the worst first; forms of one
program beside each other. Nothing is run, no device but a kind is needed.
cliffs.py LATHE [--kinds gpu,cpu] [--corpus FOLDER] [--only TEXT] [--limit SECONDS] [--cap ELEMENTS] [--compare OLD.tsv]"""
import argparse, collections, concurrent.futures, json, math, os, re, statistics, subprocess, sys

CAP = {'gpu': 1 << 27, 'cpu': 1 << 24}          # elements of all inputs; programs of products do with those of their sizes
TARGET = {'gpu': 'h200', 'cpu': 'pocl'}
LONG = 8                                        # a size below is one of channels, taps, classes
NEAR, BEYOND, ALIKE = 5, 20, 1.3                # times the bound; forms of one program
GROWN = {'gpu': 1 << 24, 'cpu': 1 << 22}        # elements to which the small sizes of tests/programs are doubled
Case = collections.namedtuple('Case', 'name file sizes data grow')


def rows(*path):
    try:
        with open(os.path.join(*path)) as f:
            return [line.rstrip('\n').split('\t') for line in f if line.strip() and not line.startswith('#')]
    except OSError:
        return []


def assignments(text):
    """NAME=VALUE of a line of sizes: numbers and what inputs hold."""
    pairs = [p.split('=', 1) for p in re.findall(r'\w+ ?= ?(?:[^\s,(]+(?:\([^)]*\))?)', text)]
    sizes = {n.strip(): int(v) for n, v in pairs if v.strip().isdigit() and n.strip()[:1].isupper()}
    return sizes, [f'{n.strip()} = {v.strip()}' for n, v in pairs if n.strip() not in sizes]


def cases(corpus, kind):
    """All programs with the sizes for that kind: ours, where they have sizes of that kind, those of the suite, the corpus."""
    column = 2 if kind == 'gpu' else 1
    ours = {r[0]: r[column] for r in rows('tests/bench/programs.tsv')}
    small = {r[0]: r[1] for r in (line[0].split() for line in rows('tests/programs/sizes'))}
    for file in sorted(os.listdir('tests/programs')):
        name = file[:-4]
        if file.endswith('.fun'):
            yield Case(f'programs/{name}', f'tests/programs/{file}', *assignments(ours.get(name) or small.get(name, '')), name not in ours)
    suite = os.path.join(corpus, '..', 'suite')
    for r in rows(suite, f'sizes-{kind}.tsv'):
        yield Case(f'suite/{r[0]}', os.path.join(suite, r[0] + '.fun'), *assignments(r[1]), False)
    for folder, files in (('kernelbench/level1', ('sizes.tsv', 'sizes_conv.tsv')), ('kernelbench/level2', ('sizes.tsv', 'sizes_variants.tsv')),
                          ('npbench', ('sizes.tsv',)), ('futhark', ('sizes.tsv',))):
        more = {r[0]: r[1] for r in rows(corpus, folder, 'data.tsv')}
        found = {}
        for file in files:
            for r in rows(corpus, folder, file):
                sizes, data = assignments(' '.join([r[2], *r[3:]]))
                found[r[0]] = sizes, data + ([more[r[0]]] if r[0] in more else [])
        here = os.path.join(corpus, folder)
        for file in sorted(os.listdir(here)) if os.path.isdir(here) else []:
            name, base = file[:-4], re.sub(r'(?<=\d)[a-z]$|_w$', '', file[:-4])
            if file.endswith('.fun'):
                sizes, data = found.get(name) or found.get(base) or ({}, [])
                yield Case(f'{folder}/{name}', os.path.join(here, file), sizes, data, False)


def lathe(args, kind, case, sizes, lines, limit):
    """The answers to lines, an object each; None: it took too long."""
    command = [args.lathe, '--no-init', '--results', ':memory:', '--json', '--keep-going', '--set', f'target={args.target or TARGET[kind]}', case.file]
    for line in [f'data {n} = {v}' for n, v in sizes.items()] + [f'data {d}' for d in case.data] + lines:
        command += ['-e', line]
    try:
        out = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL, timeout=limit).stdout
    except subprocess.TimeoutExpired:
        return None
    return [json.loads(line) for line in out.decode(errors='replace').splitlines()]


def elements(type_text, sizes):
    """Of an input of that type; lengths that are no products of known sizes are none."""
    n = 1
    for length in re.findall(r'\[([^\]]*)\]', type_text):
        try:
            n *= int(eval(length.replace('/', '//'), {'__builtins__': {}}, sizes))
        except Exception:
            pass
    return n


def cut(args, kind, case):
    """Its sizes, the batch and then the largest halved until its inputs have at most so many elements; small ones doubled, but for the smallest."""
    said = lathe(args, kind, case, case.sizes, ['data'], args.limit)
    told = next((a['data'] for a in reversed(said or []) if a['verb'] == 'data' and a['ok']), {'sizes': [], 'inputs': []})
    sizes = dict(case.sizes) or {s['name']: s['value'] for s in told['sizes']}
    types, cap = [i['type'] for i in told['inputs']], args.cap or CAP[kind]
    count = lambda: sum(elements(t, sizes) for t in types)
    long = [n for n in sizes if sizes[n] >= LONG] or list(sizes)
    while case.grow and long and max(sizes.values()) < GROWN[kind] and 0 < 2 * count() <= GROWN[kind]:
        sizes[min(long, key=sizes.get)] *= 2
    while sizes and count() > cap:
        batch = next((n for n in ('N', 'B', 'S') if sizes.get(n, 1) > 4 and len(sizes) > 2), None) or max(sizes, key=sizes.get)
        sizes[batch] //= 2
    return sizes


def record_of(args, kind):
    """The numbers of the device that is lowered for."""
    said = lathe(args, kind, Case('', 'tests/programs/scal.fun', {}, [], False), {}, ['device -v'], 60)
    return next(a for a in said if a['verb'] == 'device')['data']['record']


def illegal(kernels, record):
    """What a kernel has that the device does not give it; '': nothing."""
    for k in kernels:
        items, room = math.prod(k['local']), record['group_local']
        if items > record['max_group'] or any(n > record[f'max_local{d}'] for d, n in enumerate(k['local'])):
            return f"illegal: {k['name']} has groups of {' x '.join(map(str, k['local']))} work-items"
        if k['local_bytes'] > room:
            return f"illegal: {k['name']} has {k['local_bytes']} bytes of local memory, not {room:.0f}"
    return ''


def predict(args, kind, case, record):
    """{sizes, ns, bound: 0 where there is none, why}"""
    sizes = cut(args, kind, case)
    out = {'case': case, 'sizes': ' '.join(f'{n}={v}' for n, v in sizes.items()), 'ns': 0, 'bound': 0, 'why': ''}
    said = lathe(args, kind, case, sizes, ['lower --explain', 'lower', 'plan'], args.limit)
    if said is None:
        out['why'] = f'not in {args.limit} s'
        return out
    failed = next((a for a in said if not a['ok'] and a['verb'] != 'data'), None)      # what inputs hold changes no prediction
    told = next((a for a in said if a['cmd'] == 'lower --explain' and a['ok']), None)
    if failed:
        out['why'] = f"{failed['cmd'].split()[0]}: {failed['diag'][0]['id']} {failed['diag'][0]['message']}"
    elif not told or not told['data'].get('ns'):
        out['why'] = 'no prediction'
    else:
        kernels = said[-1]['data']['kernels']
        out['ns'], out['bound'], out['why'] = told['data']['ns'], told['data']['bound_ns'], illegal(kernels, record)
        out['ns'] *= not out['why']
    return out


def line(kind, name, sizes, rival, ours, theirs):
    """A line as all benchmarks print them: above 1 is better, 0 is refused."""
    ms = [f'{x / 1e6:.6g}' if x else '-' for x in (ours, theirs)]
    return '\t'.join(['cliffs', kind, f'{name} {sizes}'.strip(), rival, *ms, 'ms', f'{theirs / ours:.3f}' if ours and theirs else '0'])


def base_of(name):
    return re.sub(r'(?<=\d)[a-z]$|_w$', '', name)


def tell(text):
    print(f'bench: cliffs: {text}', file=sys.stderr, flush=True)


def measure(args, kind):
    part, parts = map(int, args.part.split('/'))
    wanted = [c for c in cases(args.corpus, kind) if args.only in c.name][part - 1::parts]
    record = record_of(args, kind)
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        found = list(pool.map(lambda c: predict(args, kind, c, record), wanted))
    found.sort(key=lambda f: (f['bound'] / f['ns'] if f['ns'] else -1, f['case'].name))
    out = [line(kind, f['case'].name, f['sizes'], f['why'] or 'bound', f['ns'], f['bound']) for f in found]
    forms = collections.defaultdict(list)
    for f in found:
        if f['ns']:
            forms[base_of(f['case'].name), f['sizes']].append(f)
    unlike = 0
    for (name, sizes), some in sorted(forms.items()):
        best = min(some, key=lambda f: f['ns'])
        for f in some:
            if f is not best:
                out.append(line(kind, f['case'].name, sizes, os.path.basename(best['case'].name), f['ns'], best['ns']))
                unlike += f['ns'] > ALIKE * best['ns']
    shares = [f['ns'] / f['bound'] for f in found if f['ns']]
    refused, n = len(found) - len(shares), max(1, len(found))
    tell(f'{kind}: {len(found)} programs, {refused} refused; within {NEAR} of the bound {sum(s <= NEAR for s in shares) / n:.0%}, '
         f'beyond {BEYOND} {sum(s > BEYOND for s in shares)}; geometric mean {math.exp(statistics.fmean(map(math.log, shares))) if shares else 0:.2f} '
         f'times the bound; {unlike} forms slower than another by more than {ALIKE}')
    return out


def read(path):
    """{(kind, case, is it beside another form?): ms}"""
    table = {}
    for r in rows(path):
        if len(r) == 8 and r[0] == 'cliffs' and r[7] != 'ratio':
            refused, form = r[4] == '-', bool(re.fullmatch(r'[\w.]+', r[3])) and r[3] != 'bound'
            if refused or not form:
                table[r[1], r[2]] = 0 if refused else float(r[4])
    return table


def compare(old, lines):
    """What became of each program whose time is another one: the worst first."""
    new = {}
    for text in lines:
        r = text.split('\t')
        if r[3] == 'bound' or r[4] == '-':
            new[r[1], r[2]] = 0 if r[4] == '-' else float(r[4])
    changed = [(k, old[k], new[k]) for k in new if k in old and abs(new[k] - old[k]) > 1e-3 * max(new[k], old[k])]
    changed.sort(key=lambda c: (c[1] / c[2] if c[2] else -1) if c[1] else math.inf)
    for (kind, name), before, after in changed:
        print(line(kind, name, '', 'before', after * 1e6, before * 1e6))
    both = [old[k] / new[k] for k in new if old.get(k) and new[k]]
    tell(f'{len(changed)} of {len(new)} are others than before, {sum(1 for _, b, a in changed if b and not a)} refused now, '
         f'{sum(1 for _, b, a in changed if a and not b)} no longer; {len(new.keys() - old.keys())} are new; '
         f'before over now {math.exp(statistics.fmean(map(math.log, both))) if both else 1:.3f} (geometric mean)')


def main():
    p = argparse.ArgumentParser(prog='scripts/bench cliffs')
    p.add_argument('lathe', help=argparse.SUPPRESS)
    p.add_argument('--corpus', default='../shared/corpus', help='folder of programs as users wrote them')
    p.add_argument('--kinds', default='gpu,cpu')
    p.add_argument('--only', default='', metavar='TEXT', help='programs whose names hold it')
    p.add_argument('--part', default='1/1', metavar='I/N', help='of N parts, of which each has every N-th program, the I-th')
    p.add_argument('--limit', type=float, default=20, metavar='SECONDS', help='for a program')
    p.add_argument('--cap', type=int, default=0, metavar='ELEMENTS', help='of all inputs of a program')
    p.add_argument('--target', metavar='FILE', help='record of a device of the one kind that is asked for: set target')
    p.add_argument('--jobs', type=int, default=os.cpu_count())
    p.add_argument('--compare', metavar='OLD.tsv', help='print what is another than in that run, in place of all')
    args = p.parse_args()
    old = read(args.compare) if args.compare else None
    lines = [text for kind in args.kinds.split(',') for text in measure(args, kind)]
    if old is None:
        print('\n'.join(lines))
    else:
        compare(old, lines)


main()
