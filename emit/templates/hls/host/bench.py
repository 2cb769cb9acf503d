# SPDX-License-Identifier: MIT
"""Options, times and exit codes of this folder's host program, host.py. Written by nysx-dse @VERSION@."""
import argparse
import sys

UNITS = [f'@TOP@_{unit + 1}' for unit in range(@UNITS@)]


def options(about, **more):
    """Parses the command line; `more` are further text options with their defaults."""
    parser = argparse.ArgumentParser(description=about.split('\n')[0])
    names = {'overlay': '@FAMILY@.bit', 'unit': '', 'model': '@FAMILY@_model.bin', 'cases': '@FAMILY@_cases.bin', **more}
    for name, standard in names.items():
        parser.add_argument(f'--{name}', default=standard)
    parser.add_argument('--repeat', type=int, default=1)
    return parser.parse_args()


def print_times(what, times):
    times = sorted(times)
    print(f'{what:28} mean {sum(times) / len(times) * 1e6:.1f} µs, least {times[0] * 1e6:.1f}, '
          f'median {times[len(times) // 2] * 1e6:.1f}, p99 {times[int(0.99 * (len(times) - 1))] * 1e6:.1f}')


def run(main):
    """Ends the program with main's exit code, or with 2 and the reason on an error."""
    try:
        sys.exit(main())
    except (OSError, ValueError, AttributeError) as error:
        print(f'host.py: {error}', file=sys.stderr)
        sys.exit(2)
