"""A board for host/host.py, of the part of PYNQ's interface that it uses: registers and buffers of an accelerator that runs the
emitted C as a shared library (./build/accelerator.so). Buffers have separate host and device memory: data not flushed are missing. A
chained kernel (with a queue) runs when its done bit is first read, on the memory contents of that time, and holds the done bit until it is told to continue."""
import atexit
import ctypes
import os
import sys

TOP = os.environ.get('MOCK_TOP', 'nysx_top')
CHAINED = 'MOCK_CHAINED' in os.environ
_addresses = {}  # the buffer, by its device memory


class Buffer(bytearray):
    def begin(self, size):
        self.device = (ctypes.c_char * (size + 4096)).from_buffer(bytearray(b'\xa5' * (size + 4096)))
        raw = ctypes.addressof(self.device)
        self.device_address = (raw + 4095) // 4096 * 4096
        _addresses[self.device_address] = self
        return self

    def flush(self):
        ctypes.memmove(self.device_address, bytes(self), len(self))

    def invalidate(self):
        self[:] = ctypes.string_at(self.device_address, len(self))


def allocate(shape, dtype):
    assert dtype == 'u1' and len(shape) == 1, 'bytes alone'
    return Buffer(shape[0]).begin(shape[0])


class Control:
    def __init__(self, owner):
        self.owner, self.started, self.done, self.starts = owner, None, 0, 0

    @property
    def AP_DONE(self):
        if self.started:
            self.owner.run(self.started)
            self.started, self.done = None, 1
        return self.done

    def __setattr__(self, name, value):
        object.__setattr__(self, name, value)
        if name == 'AP_START' and value:
            assert not self.started and not (CHAINED and self.done), 'a start before the end of the one before was seen'
            self.started = dict(vars(self.owner))  # the registers at the start
            self.starts += 1
            if not CHAINED:
                self.done = self.AP_DONE
        if name == 'AP_CONTINUE' and value:
            assert CHAINED, 'there is no such bit'
            self.done = 0


class Registers:
    def __init__(self):
        self.CTRL = Control(self)
        self.library = ctypes.CDLL(os.path.abspath('build/accelerator.so'))

    def run(self, started):
        memories = [word for word in os.environ['MOCK_ARGUMENTS'].split() if word]
        addresses = [started[f'{name}_1'] | started[f'{name}_2'] << 32 for name in memories]
        for address in addresses:
            assert address in _addresses, 'an address that was never allocated'
        if 'MOCK_REGISTERS' in os.environ:  # a kernel of ports and registers
            values = [started[name] for name in os.environ['MOCK_REGISTERS'].split()]
            getattr(self.library, TOP)(*map(ctypes.c_void_p, addresses), *map(ctypes.c_uint32, values))
            if 'MOCK_WRONG' in os.environ:
                answers = [address for name, address in zip(memories, addresses) if name != 'ring'][-1]
                for slot in range(int(os.environ.get('MOCK_SLOTS', 1))):
                    at = answers + slot * int(os.environ.get('MOCK_STRIDE', 0))
                    ctypes.memset(at, ctypes.string_at(at, 1)[0] ^ 1, 1)
            return
        answer = ctypes.c_int32(-99)
        self.library.nysx_top(*map(ctypes.c_void_p, addresses), ctypes.byref(answer),
                              *(ctypes.c_int32(started[name]) for name in ('command', 'nodes', 'nonzeros')))
        self.answer = (answer.value ^ ('MOCK_WRONG' in os.environ)) & 0xffffffff


class Unit:
    def __init__(self, number):
        self.register_map = Registers()
        atexit.register(lambda: print(f'unit {number}: {self.register_map.CTRL.starts} starts', file=sys.stderr))


class Overlay:
    def __init__(self, path):
        if not os.path.exists(path):
            raise OSError(f'{path}: no such file')
        for number in range(1, int(os.environ['MOCK_UNITS']) + 1):
            setattr(self, f'{TOP}_{number}', Unit(number))
