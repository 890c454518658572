#!/usr/bin/env python3
"""offers: every command that `lower --explain` offers beside what it chose works as it stands there: it lowers, and there are kernels of it. Programs of
tests/programs at their sizes of tests/bench, and random ones of tests/total.lua, for both kinds of device. Usage: offers.py LATHE [PROGRAM...]"""
import json
import os
import subprocess
import sys
import tempfile

LATHE = os.path.abspath(sys.argv[1])
PROGRAMS = sys.argv[2:] or ['attention', 'attpool', 'bilinear', 'colscan', 'cosine', 'discounted', 'gemv_parts', 'haar', 'mixture', 'multihead', 'mvt', 'resnorm', 'scores']
TARGETS = {'gpu': 'h200', 'cpu': 'pocl'}
RANDOM = {"gpu": (25,), "cpu": (4,)}
N, M = 70, 66


def rows(path):
    with open(path) as f:
        return [line.rstrip('\n').split('\t') for line in f if line.strip() and not line.startswith('#')]


class Lathe:
    def __init__(self, target):
        self.home = tempfile.TemporaryDirectory()
        env = dict(os.environ, XDG_STATE_HOME=self.home.name, XDG_CONFIG_HOME=self.home.name)
        self.process = subprocess.Popen([LATHE, '--no-init', '--results', ':memory:', '--json', '--set', f'target={target}', '-f', '-'],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=env)

    def ask(self, command):
        self.process.stdin.write(json.dumps({'id': 1, 'cmd': command}) + '\n')
        self.process.stdin.flush()
        for line in self.process.stdout:
            answer = json.loads(line)
            if answer.get('id') == 1:
                return answer
        sys.exit(f'offers: lathe ended at {command}')

    def must(self, command, of):
        answer = self.ask(command)
        if not answer['ok']:
            sys.exit(f"offers: {of}: {command}: {answer['diag'][0]['id']} {answer['diag'][0]['message']}\n{json.dumps(answer['diag'][0], indent=2)}")
        return answer

    def end(self):
        self.process.stdin.close()
        self.process.wait()


def tried(target, of, lines):
    """How many commands are offered for the program of these lines; each is typed."""
    lathe = Lathe(target)
    for line in lines:
        lathe.must(line, of)
    said = lathe.must('lower --explain', of)['data']
    offered = [other['command'] for nest in said['nests'] + (said.get('arrays') or []) for other in nest['or'] if other['command']]
    for command in offered:
        lathe.must('goto @0', of)
        lathe.must(command, of)
        lathe.must('code', f'{of}: {command}')
    lathe.end()
    return len(offered)


sizes = {r[0]: r[1].split()[0].replace(',', ' ') for r in (line[0].split(' ', 1) for line in rows('tests/programs/sizes')) if len(r) > 1}
large = {r[0]: r for r in rows('tests/bench/programs.tsv')}
count = 0
for kind, target in TARGETS.items():
    for program in PROGRAMS:
        text = large[program][2 if kind == 'gpu' else 1] if program in large else sizes[program]
        count += tried(target, f'{program} on {target}', [f'load tests/programs/{program}.fun'] + [f'data {size}' for size in text.split()])
    for seed in [] if sys.argv[2:] else RANDOM[kind]:
        count += tried(target, f'seed {seed} on {target}', ['lua dofile("tests/total.lua")', f'lua total({seed}, {seed}, {{sizes = {{{{N = {N}, M = {M}}}}}}})', 'goto @0'])
print(f'{count} commands that are offered')
if not count:
    sys.exit('offers: none is offered')
