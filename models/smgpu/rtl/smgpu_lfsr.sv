/* SPDX-License-Identifier: MIT */ // Words of all banks from a Galois LFSR (right shift, mask 0x84004000): bank k has the state after 32 (k + 1) more steps. A
// step is linear, so each bit of a word is the XOR of the state bits that its mask selects.
module smgpu_lfsr #(
    parameter int unsigned BANKS = 16
) (
    input  logic [31:0]         state_i,
    output logic [BANKS*32-1:0] words_o
);
  // Row i of a matrix, from bit 32i, selects the state bits whose XOR is bit i. A step moves rows down by one; the lowest row is XORed
  // into the rows of the mask.
  function automatic logic [1023:0] stepped(input logic [1023:0] matrix);
    stepped = {32'b0, matrix[1023:32]};
    stepped[31*32+:32] = stepped[31*32+:32] ^ matrix[31:0];
    stepped[26*32+:32] = stepped[26*32+:32] ^ matrix[31:0];
    stepped[14*32+:32] = stepped[14*32+:32] ^ matrix[31:0];
  endfunction
  function automatic logic [1023:0] advance(input int steps);
    advance = '0;
    for (int i = 0; i < 32; i = i + 1) advance[33*i] = 1'b1;
    for (int s = 0; s < steps; s = s + 1) advance = stepped(advance);
  endfunction
  for (genvar k = 0; k < BANKS; k++) begin : gen_bank
    localparam logic [1023:0] MATRIX = advance(32 * (k + 1));
    for (genvar i = 0; i < 32; i++) begin : gen_bit
      assign words_o[32*k+i] = ^(state_i & MATRIX[32*i+:32]);
    end
  end
endmodule
