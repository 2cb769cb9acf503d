#!/usr/bin/env python3
"""Rejects C that Vitis HLS does not synthesize, and directives for what is not there.

    hls_check.py PREPROCESSED.c ... [--directives directives.tcl]

Takes the text that synthesis sees (gcc -E -D__SYNTHESIS__, with its line markers); text from the C library's headers is skipped. Prints
each finding as "file:line: fault"; exit code 1 if there is any. The list of what is
rejected, with its sources, is in docs/reference/hls.md, "What the checker rejects".
"""
import re
import sys

TOKEN = re.compile(r'[A-Za-z_]\w*|\d[\w.]*(?:[eEpP][+-]?\d+\w*)?|"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|'
                   r'\.\.\.|->|\+\+|--|<<=|>>=|<<|>>|[<>=!+\-*/%&|^]=|&&|\|\||\S')
BASE_TYPES = {'void', 'char', 'short', 'int', 'long', 'float', 'double', 'signed', 'unsigned', '_Bool', 'bool', 'size_t',
              'int8_t', 'int16_t', 'int32_t', 'int64_t', 'uint8_t', 'uint16_t', 'uint32_t', 'uint64_t'}
QUALIFIERS = {'static', 'const', 'extern', 'inline', 'volatile', 'register', 'restrict'}
CONTROL = {'if', 'for', 'while', 'switch', 'return', 'sizeof', 'else', 'do', 'case'}
# Functions of math.h that Vitis HLS has cores or sources for (UG1399, "C/C++ Math Functions").
MATH = {'floorf', 'rintf', 'fabsf', 'sqrtf', 'floor', 'rint', 'fabs', 'sqrt', 'ceilf', 'ceil', 'roundf', 'truncf'}
MEMORY = {'malloc', 'calloc', 'realloc', 'free', 'alloca', 'aligned_alloc', 'strdup'}
REJECTED_WORDS = {'goto': 'goto', 'asm': 'inline assembly', '__asm__': 'inline assembly', '_Complex': 'complex numbers',
                 '__int128': 'a type that is no C99', '_Thread_local': 'threads', 'setjmp': 'setjmp',
                 'longjmp': 'longjmp', 'typeof': 'an extension of the compiler', '__attribute__': 'an attribute'}
PRAGMAS = {  # kind: the options that it may have
    'PIPELINE': {'II', 'off', 'style'}, 'UNROLL': {'factor', 'off'}, 'DATAFLOW': set(),
    'LOOP_TRIPCOUNT': {'min', 'max', 'avg'},
    'ARRAY_PARTITION': {'variable', 'type', 'factor', 'dim'}, 'BIND_STORAGE': {'variable', 'type', 'impl', 'latency'},
    'STREAM': {'variable', 'depth', 'type'}, 'ARRAY_RESHAPE': {'variable', 'type', 'factor', 'dim'},
    'AGGREGATE': {'variable', 'compact'}, 'DEPENDENCE': {'variable', 'type', 'dependent', 'distance', 'direction'},
    'INLINE': {'off', 'recursive'}, 'ALLOCATION': {'function', 'operation', 'instances', 'limit'},
    'INTERFACE': {'mode', 'port', 'offset', 'bundle', 'depth', 'max_read_burst_length', 'max_write_burst_length',
                  'num_read_outstanding', 'num_write_outstanding', 'latency'}}
ROM_PLACES = {'bram', 'lutram', 'auto'}  # UG1399, "pragma HLS bind_storage": a ROM has no UltraRAM


class Token:
    __slots__ = ('text', 'where')

    def __init__(self, text, where):
        self.text, self.where = text, where


def own_tokens(text, name):
    """Tokens and pragmas outside the system's headers; a pragma is one token that begins with '#'."""
    tokens, line, file, system = [], 0, name, False
    for raw in text.split('\n'):
        marker = re.match(r'# (\d+) "([^"]*)"(.*)$', raw)
        if marker:
            line, file = int(marker[1]) - 1, marker[2]
            system = '3' in marker[3].split() or file.startswith('<')
            continue
        line += 1
        if system:
            continue
        where = f'{file}:{line}'
        if raw.lstrip().startswith('#pragma'):
            tokens.append(Token('#' + raw.split('#pragma', 1)[1].strip(), where))
        else:
            tokens.extend(Token(t, where) for t in TOKEN.findall(raw))
    return tokens


class Variable:
    def __init__(self, dimensions, struct):
        self.dimensions, self.struct = dimensions, struct


class Function:
    def __init__(self, name):
        self.name, self.variables, self.labels, self.calls = name, {}, {}, []


class Program:
    """All translation units: functions by name, and the targets of their directives."""

    def __init__(self):
        self.findings, self.functions, self.structs = [], {}, {}

    def reject(self, where, what):
        finding = f'{where}: {what}'
        if finding not in self.findings:
            self.findings.append(finding)


class Unit:
    def __init__(self, program, tokens):
        self.program, self.tokens, self.types, self.globals = program, tokens, set(BASE_TYPES), {}
        self.constants = set()

    # --- declarations

    def closing(self, at):
        """The index of the token that closes the bracket at `at`."""
        pairs, depth = {'(': ')', '[': ']', '{': '}'}, 0
        opening = self.tokens[at].text
        for i in range(at, len(self.tokens)):
            depth += self.tokens[i].text == opening
            depth -= self.tokens[i].text == pairs[opening]
            if depth == 0:
                return i
        raise SystemExit(f'{self.tokens[at].where}: {opening} is never closed')

    def type_at(self, i):
        """The index after a type at `i`, and its structure's name; None if there is no type."""
        start, struct, seen = i, None, False
        while i < len(self.tokens):
            text = self.tokens[i].text
            if text in QUALIFIERS:
                i += 1
            elif text in ('struct', 'union', 'enum') and not seen:
                i += 1
                if self.tokens[i].text not in '{':
                    struct = self.tokens[i].text
                    i += 1
                if self.tokens[i].text == '{':
                    i = self.closing(i) + 1
                seen = True
            elif text in BASE_TYPES or (text in self.types and not seen):
                struct = text if text in self.program.structs else struct
                seen, i = True, i + 1
            else:
                break
        return (i, struct) if seen and i > start else None

    def declarator(self, i, struct, variables):
        """Reads "*name[2][3]" at `i` into `variables`; returns the index after it."""
        stars = 0
        while self.tokens[i].text in ('*', 'const', 'restrict'):
            stars += self.tokens[i].text == '*'
            i += 1
        if stars > 1:
            self.program.reject(self.tokens[i].where, f'{self.tokens[i].text}: a pointer to a pointer')
        if self.tokens[i].text == '(' and self.tokens[i + 1].text == '*':
            self.program.reject(self.tokens[i].where, f'{self.tokens[i + 2].text}: a pointer to a function or an array')
            i = self.closing(i) + 1
            return self.closing(i) + 1 if self.tokens[i].text in '([' else i
        name, dimensions = self.tokens[i], 0
        if not re.match(r'[A-Za-z_]', name.text):
            return i
        i += 1
        while self.tokens[i].text == '[':
            end = self.closing(i)
            for t in self.tokens[i + 1:end]:
                if re.match(r'[A-Za-z_]', t.text) and t.text not in self.constants and t.text not in BASE_TYPES and \
                        t.text != 'sizeof' and t.text not in self.types:
                    self.program.reject(t.where, f'{name.text}: an array whose length is {t.text}, known at run time only')
            dimensions, i = dimensions + 1, end + 1
        variables[name.text] = Variable(dimensions + stars, struct)
        return i

    def declaration(self, i, variables):
        """Reads a declaration at `i`; returns the index of its end, or None if there is none."""
        found = self.type_at(i)
        if found is None:
            return None
        i, struct = found
        while self.tokens[i].text not in (';', ')', '{', ':'):
            before = i
            i = self.declarator(i, struct, variables)
            if self.tokens[i].text == '=':
                depth = 0
                while depth > 0 or self.tokens[i].text not in (',', ';'):
                    depth += self.tokens[i].text in '([{'
                    depth -= self.tokens[i].text in ')]}'
                    i += 1
            if self.tokens[i].text == ',':
                i += 1
            elif i == before:
                return i
        return i

    def read_struct(self, i):
        """Members of a structure whose name or typedef is known, from its '{' at `i`."""
        end, members, i = self.closing(i), {}, i + 1
        while i < end:
            i = self.declaration(i, members)
            if i is None:
                break
            i += 1
        return members, end

    def read_enum(self, i):
        end = self.closing(i)
        for t in self.tokens[i + 1:end]:
            if re.match(r'[A-Za-z_]', t.text):
                self.constants.add(t.text)

    # --- the top level

    def run(self):
        i = 0
        while i < len(self.tokens):
            text = self.tokens[i].text
            if text.startswith('#'):
                if text[1:].startswith('HLS'):
                    self.program.reject(self.tokens[i].where, 'a pragma outside of any function')
                i += 1
            elif text == ';' or (text == '__extension__' and self.tokens[i + 1].text == '_Static_assert'):
                i += 1
            elif text in ('_Static_assert', 'static_assert'):
                i = self.closing(i + 1) + 1
            else:
                i = self.external(i)

    def skip_to_semicolon(self, i):
        while self.tokens[i].text != ';':
            i = self.closing(i) + 1 if self.tokens[i].text in '([{' else i + 1
        return i + 1

    def external(self, i):
        start, typedef = i, self.tokens[i].text == 'typedef'
        i += typedef
        if self.tokens[i].text in ('struct', 'union') and '{' in (self.tokens[i + 1].text, self.tokens[i + 2].text):
            brace = i + 1 if self.tokens[i + 1].text == '{' else i + 2
            members, end = self.read_struct(brace)
            name = self.tokens[end + 1].text if typedef else self.tokens[i + 1].text
            self.program.structs[name] = members
            self.types.add(name) if typedef else None
            return self.skip_to_semicolon(end + 1)
        if self.tokens[i].text == 'enum':
            brace = next(k for k in range(i, i + 3) if self.tokens[k].text == '{')
            self.read_enum(brace)
            return self.skip_to_semicolon(brace)
        if typedef:
            found = self.type_at(i)
            names = {}
            i = self.declarator(found[0], found[1], names)
            self.types.update(names)
            for name in names:
                if found[1] in self.program.structs:
                    self.program.structs[name] = self.program.structs[found[1]]
            return self.skip_to_semicolon(i)
        found = self.type_at(i)
        if found is None:
            raise SystemExit(f'{self.tokens[i].where}: {self.tokens[i].text}: neither a declaration nor a function')
        i = found[0]
        while self.tokens[i].text == '*':
            i += 1
        if self.tokens[i + 1].text == '(' and self.tokens[i].text != '(':
            return self.function(i)
        self.declaration(start, self.globals)
        return self.skip_to_semicolon(i)

    # --- functions

    def function(self, i):
        name, end = self.tokens[i], self.closing(i + 1)
        function = Function(name.text)
        k = i + 2
        while k < end:
            if self.tokens[k].text == '...':
                self.program.reject(name.where, f'{name.text}: a variable number of arguments')
                break
            following = {}
            found = self.type_at(k)
            if found is None:
                break
            k = self.declarator(found[0], found[1], following)
            function.variables.update(following)
            k += self.tokens[k].text == ','
        if self.tokens[end + 1].text != '{':
            return end + 2
        self.program.functions[name.text] = function
        last = self.closing(end + 1)
        self.body(function, end + 2, last)
        return last + 1

    def loop_header(self, function, i):
        """Reads the "( … )" of a for at `i`, and declares its variable; returns the index after it."""
        end = self.closing(i)
        self.declaration(i + 1, function.variables)
        semicolons = [k for k in range(i, end) if self.tokens[k].text == ';']
        if len(semicolons) != 2 or semicolons[0] + 1 == semicolons[1]:
            self.program.reject(self.tokens[i].where, 'a loop without a bound')
        elif not any(t.text in ('<', '<=', '>', '>=') for t in self.tokens[semicolons[0]:semicolons[1]]):
            self.program.reject(self.tokens[i].where, 'a loop whose condition is no comparison with a bound')
        return end + 1

    def body(self, function, i, last):
        """Statements up to `last`. `blocks` holds, for each open brace, the loop that it is the body of."""
        blocks, label, pending, behind_header = [], None, None, -1
        while i < last:
            token = self.tokens[i]
            text = token.text
            if text.startswith('#'):
                self.pragma(function, token, blocks)
                i += 1
                continue
            if text in REJECTED_WORDS:
                self.program.reject(token.where, f'{text}: {REJECTED_WORDS[text]}')
            if text in ('while', 'do'):
                self.program.reject(token.where, f'{text}: a loop without a bound')
            if text == 'for':
                loop = {'label': label, 'where': token.where}
                if label is not None:
                    function.labels[label]['loop'] = True
                label, i = None, self.loop_header(function, i + 1)
                pending, behind_header = loop if self.tokens[i].text == '{' else None, i
                continue
            if text == '{':
                blocks.append(pending)
                pending = None
            elif text == '}' and blocks:
                blocks.pop()
            elif re.match(r'[A-Za-z_]', text) and self.tokens[i + 1].text == ':' and \
                    (self.begins_statement(i) or self.tokens[i - 1].text == ':' or i == behind_header):
                if text in function.labels:
                    self.program.reject(token.where, f'{text}: a label that {function.name} has twice')
                function.labels[text] = {'loop': False}
                label, i = text, i + 2
                continue
            elif text == '(':
                self.check_cast(i)
            elif re.match(r'[A-Za-z_]', text) and self.tokens[i + 1].text == '(' and text not in CONTROL:
                function.calls.append((text, token.where))
            if self.begins_statement(i):
                end = self.declaration(i, function.variables)
                if end is not None:
                    for k in range(i, end):
                        following = self.tokens[k + 1].text if k + 1 < end else ''
                        if self.tokens[k].text == '(':
                            self.check_cast(k)
                        if following == '(' and re.match(r'[A-Za-z_]', self.tokens[k].text) and \
                                self.tokens[k].text not in CONTROL:
                            function.calls.append((self.tokens[k].text, self.tokens[k].where))
                        if self.tokens[k].text in REJECTED_WORDS:
                            self.program.reject(self.tokens[k].where,
                                                f'{self.tokens[k].text}: {REJECTED_WORDS[self.tokens[k].text]}')
                    i = end
                    continue
            i += 1

    def begins_statement(self, i):
        before = self.tokens[i - 1].text
        return before in ('{', '}', ';') or before.startswith('#')

    def check_cast(self, i):
        """"(type *)" in front of an expression: memory read as another type."""
        found = self.type_at(i + 1)
        if found is not None and self.tokens[found[0]].text == '*' and self.tokens[i - 1].text != 'sizeof':
            self.program.reject(self.tokens[i].where, 'a cast of a pointer')

    # --- pragmas

    def pragma(self, function, token, blocks):
        words = token.text[1:].split()
        if not words or words[0] != 'HLS':
            return
        kind = words[1].upper() if len(words) > 1 else ''
        if kind not in PRAGMAS:
            self.program.reject(token.where, f'#pragma HLS {kind}: unknown')
            return
        options = dict((w.split('=', 1) + [''])[:2] for w in words[2:])
        for option in options:
            if option not in PRAGMAS[kind]:
                self.program.reject(token.where, f'#pragma HLS {kind}: unknown option {option}')
        loop = blocks[-1] if blocks else None
        if kind in ('PIPELINE', 'UNROLL', 'LOOP_TRIPCOUNT'):
            if loop is None:
                self.program.reject(token.where, f'#pragma HLS {kind}: not in the body of a loop')
            elif loop['label'] is None:
                self.program.reject(token.where, f'#pragma HLS {kind}: its loop has no label')
        if kind == 'DATAFLOW' and blocks and loop is None:
            self.program.reject(token.where, '#pragma HLS DATAFLOW: neither in a function\'s body nor in a loop\'s')
        if kind == 'INTERFACE' and options.get('port') != 'return' and options.get('port') not in function.variables:
            self.program.reject(token.where, f'#pragma HLS INTERFACE: {function.name} has no port {options.get("port")}')
        if kind == 'ALLOCATION' and options.get('instances') not in self.program.functions:
            self.program.reject(token.where, f'#pragma HLS ALLOCATION: no function {options.get("instances")}')
        if 'variable' in PRAGMAS[kind]:
            self.check_variable(function, token.where, f'#pragma HLS {kind}', options)

    def find(self, function, name):
        base, _, member = name.partition('.')
        variable = function.variables.get(base) or self.globals.get(base)
        if variable is None or not member:
            return variable
        return self.program.structs.get(variable.struct, {}).get(member)

    def check_variable(self, function, where, directive, options):
        name = options.get('variable', '')
        variable = self.find(function, name)
        if variable is None:
            self.program.reject(where, f'{directive}: {function.name} has no variable {name or "(none given)"}')
        elif variable.dimensions == 0:
            self.program.reject(where, f'{directive}: {name} is no array')
        elif int(options.get('dim', 0) or 0) > variable.dimensions:
            self.program.reject(where, f'{directive}: {name} has no dimension {options["dim"]}')
        if options.get('type', '').startswith('rom') and options.get('impl') not in ROM_PLACES | {None}:
            self.program.reject(where, f'{directive}: a ROM in {options["impl"]}')


def check_calls(program):
    for function in program.functions.values():
        for callee, where in function.calls:
            if callee in MEMORY:
                program.reject(where, f'{callee}: dynamic memory')
            elif callee in function.variables:
                program.reject(where, f'{callee}: a call by a pointer')
            elif callee not in program.functions and callee not in MATH and callee not in REJECTED_WORDS:
                program.reject(where, f'{callee}: a function that is not in the source (a system call?)')


def check_recursion(program):
    state = {}

    def visit(name, chain):
        if state.get(name) == 'done' or name not in program.functions:
            return
        if name in chain:
            program.reject(program.functions[name].calls[0][1],
                           f'{name}: recursion ({" -> ".join(chain[chain.index(name):] + [name])})')
            return
        for callee, _ in program.functions[name].calls:
            visit(callee, chain + [name])
        state[name] = 'done'

    for name in program.functions:
        visit(name, [])


def check_directives(program, units, path):
    """Functions, labels and variables that a Tcl file's set_directive_… commands name."""
    owner = {name: unit for unit in units for name in program.functions if name in unit.defined}
    for number, line in enumerate(open(path, encoding='utf-8'), 1):
        where = f'{path}:{number}'
        match = re.match(r'set_directive_(\w+) (.*?)"([^"]+)"\s*(\S*)$', line.strip())
        if not line.startswith('set_directive_') or line.startswith('set_directive_top'):
            continue
        if match is None:
            program.reject(where, 'a directive that is not understood')
            continue
        kind, options, location, variable = match.groups()
        name, _, label = location.partition('/')
        function = program.functions.get(name)
        if function is None:
            program.reject(where, f'no function {name}')
        elif kind in ('pipeline', 'unroll', 'loop_tripcount'):
            if not function.labels.get(label, {}).get('loop'):
                program.reject(where, f'{name} has no loop {label or "(none given)"}')
        elif kind == 'interface':
            if variable not in function.variables and variable != 'return':
                program.reject(where, f'{name} has no port {variable}')
        elif kind == 'allocation':
            if variable not in program.functions:
                program.reject(where, f'no function {variable}')
        elif kind not in ('dataflow', 'inline'):
            given = dict(re.findall(r'-(\w+) (\w+)', options))
            given['variable'] = variable
            owner[name].check_variable(function, where, f'set_directive_{kind}', given)


def check(files, directives=None):
    """Findings of preprocessed texts, given as (name, text)."""
    program, units = Program(), []
    for name, text in files:
        unit = Unit(program, own_tokens(text, name))
        before = set(program.functions)
        unit.run()
        unit.defined = set(program.functions) - before
        units.append(unit)
    check_calls(program)
    check_recursion(program)
    if directives is not None:
        check_directives(program, units, directives)
    return program.findings


def main(arguments):
    directives = None
    if '--directives' in arguments:
        at = arguments.index('--directives')
        directives = arguments[at + 1]
        del arguments[at:at + 2]
    findings = check([(path, open(path, encoding='utf-8').read()) for path in arguments], directives)
    print('\n'.join(findings), file=sys.stderr, end='\n' if findings else '')
    return 1 if findings or not arguments else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
