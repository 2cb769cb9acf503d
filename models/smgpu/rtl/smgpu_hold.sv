/* SPDX-License-Identifier: MIT */ // Saturates a number of more than 32 bits to 32 bits, one cycle latency.
module smgpu_hold #(
    parameter int unsigned WIDTH = 34
) (
    input  logic                    clk_i,
    input  logic signed [WIDTH-1:0] value_i,
    output logic signed [31:0]      held_o
);
  logic fits;
  assign fits = value_i[WIDTH-1:31] == {(WIDTH - 31) {value_i[WIDTH-1]}};
  always_ff @(posedge clk_i) held_o <= fits ? value_i[31:0] : {value_i[WIDTH-1], {31{!value_i[WIDTH-1]}}};
endmodule
