#include <stdio.h>
int main(void) { puts("nysx-dse"); return 0; }
