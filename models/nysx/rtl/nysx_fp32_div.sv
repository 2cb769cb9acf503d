/* SPDX-License-Identifier: MIT */ // Quotient of two numbers of IEEE single precision, rounded to nearest even, with subnormals, infinities and NaN; one a
// cycle, two bits of the quotient a stage: LATENCY = 2 + 13 + 2 = 17 cycles.
module nysx_fp32_div (
    input  logic        clk_i,
    input  logic [31:0] a_i,
    input  logic [31:0] b_i,
    output logic [31:0] quotient_o
);
  localparam int unsigned STAGES = 13;
  logic sign_a, sign_b, zero_a, zero_b, infinite_a, infinite_b, nan_a, nan_b;
  logic signed [9:0] exponent_a, exponent_b;
  logic [23:0] significand_a, significand_b;
  nysx_fp32_unpack unpack_a (.clk_i, .value_i(a_i), .sign_o(sign_a), .exponent_o(exponent_a),
                             .significand_o(significand_a), .zero_o(zero_a), .infinite_o(infinite_a), .nan_o(nan_a));
  nysx_fp32_unpack unpack_b (.clk_i, .value_i(b_i), .sign_o(sign_b), .exponent_o(exponent_b),
                             .significand_o(significand_b), .zero_o(zero_b), .infinite_o(infinite_b), .nan_o(nan_b));

  // A restoring division: rest_q[k] < 2 · divisor before the bits of stage k. The first bit is the whole one.
  logic less;
  assign less = significand_a < significand_b;
  /* verilator lint_off UNOPTFLAT */ // arrays of stages: element k depends on k − 1 alone
  logic [24:0] rest[STAGES+1];
  logic [23:0] divisor[STAGES+1];
  logic [25:0] quotient[STAGES+1];
  /* verilator lint_on UNOPTFLAT */
  assign rest[0] = less ? {significand_a, 1'b0} : {1'b0, significand_a};
  assign divisor[0] = significand_b;
  assign quotient[0] = '0;
  for (genvar k = 0; k < STAGES; k++) begin : gen_stage
    logic [24:0] first, second;
    logic first_bit, second_bit;
    assign first_bit = rest[k] >= {1'b0, divisor[k]};
    assign first = (rest[k] - (first_bit ? {1'b0, divisor[k]} : 25'b0)) << 1;
    assign second_bit = first >= {1'b0, divisor[k]};
    assign second = (first - (second_bit ? {1'b0, divisor[k]} : 25'b0)) << 1;
    always_ff @(posedge clk_i) begin
      rest[k+1] <= second;
      divisor[k+1] <= divisor[k];
      quotient[k+1] <= {quotient[k][23:0], first_bit, second_bit};
    end
  end

  logic [3:0] flags, flags_late;
  logic signed [10:0] exponent, exponent_late;
  assign flags = {sign_a ^ sign_b, zero_a | infinite_b, infinite_a | zero_b,
                  nan_a | nan_b | (infinite_a & infinite_b) | (zero_a & zero_b)};
  assign exponent = 11'(exponent_a) - 11'(exponent_b) + 11'sd127 - 11'(less);
  nysx_delay #(.WIDTH(15), .STAGES(STAGES)) aside (.clk_i, .rst_i(1'b0), .d_i({flags, exponent}),
                                                   .q_o({flags_late, exponent_late}));
  nysx_fp32_round round (.clk_i, .sign_i(flags_late[3]), .exponent_i(exponent_late),
                         .significand_i(quotient[STAGES]), .sticky_i(rest[STAGES] != '0), .zero_i(flags_late[2]),
                         .infinite_i(flags_late[1]), .nan_i(flags_late[0]), .result_o(quotient_o));
  logic unused;
  assign unused = &{1'b0, divisor[STAGES], quotient[0][25:24]};
endmodule
