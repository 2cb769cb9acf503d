"""The version of the package, which is the program's: CMakeLists.txt has it, and a test holds both together."""
VERSION = "0.2.0"
