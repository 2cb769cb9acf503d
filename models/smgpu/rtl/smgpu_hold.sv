/* SPDX-License-Identifier: MIT */ // A number of more than 32 bits held at the ends of 32, a cycle later.
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
