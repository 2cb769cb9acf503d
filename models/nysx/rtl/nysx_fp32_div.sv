/* SPDX-License-Identifier: MIT */ // IEEE single-precision quotient, rounded to nearest even, with subnormals, infinities and NaN; one per
// cycle, two quotient bits per stage: LATENCY = 2 + 1 + 13 + 2 = 18 cycles.
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

  // Restoring division, two bits per stage: 2 · rest[k] minus 1, 2 and 3 times the divisor, in parallel. rest[k] < 2 · divisor.
  // The first bit is the integer bit, because the dividend (doubled if less) is at least the divisor.
  logic less, less_q;
  assign less = significand_a < significand_b;
  /* verilator lint_off UNOPTFLAT */ // arrays of stages: element k depends on k − 1 alone
  logic [24:0] rest[STAGES+1];
  logic [23:0] divisor[STAGES+1];
  logic [25:0] triple[STAGES+1];
  logic [25:0] quotient[STAGES+1];
  /* verilator lint_on UNOPTFLAT */
  assign quotient[0] = '0;
  always_ff @(posedge clk_i) begin
    rest[0] <= less ? {significand_a, 1'b0} : {1'b0, significand_a};
    divisor[0] <= significand_b;
    triple[0] <= 26'(significand_b) + {1'b0, significand_b, 1'b0};
    less_q <= less;
  end
  for (genvar k = 0; k < STAGES; k++) begin : gen_stage
    logic [26:0] whole, once, twice, thrice;
    logic [1:0] digit;
    logic [23:0] left; // less than the divisor
    logic unused;
    assign unused = &{1'b0, once[25:24], twice[25:24], thrice[25:24]};
    assign whole = {1'b0, rest[k], 1'b0};
    assign once = whole - 27'(divisor[k]);
    assign twice = whole - {2'b0, divisor[k], 1'b0};
    assign thrice = whole - {1'b0, triple[k]};
    assign digit = {!twice[26], !thrice[26] || (twice[26] && !once[26])};
    always_comb
      case (digit)
        2'd0: left = whole[23:0];
        2'd1: left = once[23:0];
        2'd2: left = twice[23:0];
        default: left = thrice[23:0];
      endcase
    always_ff @(posedge clk_i) begin
      rest[k+1] <= {left, 1'b0};
      divisor[k+1] <= divisor[k];
      triple[k+1] <= triple[k];
      quotient[k+1] <= {quotient[k][23:0], digit};
    end
  end

  // In parallel: the exponent and its place, two stages fewer.
  logic [3:0] flags0_q, flags1_q; // sign, zero, infinite, NaN
  logic signed [10:0] exponent0_q, exponent1_q;
  logic [7:0] field, field_late;
  logic [4:0] shift, shift_late;
  logic infinite, sign_late, zero_late, infinite_late, nan_late;
  nysx_fp32_place place (.exponent_i(exponent1_q), .field_o(field), .shift_o(shift), .infinite_o(infinite));
  always_ff @(posedge clk_i) begin
    flags0_q <= {sign_a ^ sign_b, zero_a | infinite_b, infinite_a | zero_b,
                 nan_a | nan_b | (infinite_a & infinite_b) | (zero_a & zero_b)};
    exponent0_q <= 11'(exponent_a) - 11'(exponent_b) + 11'sd127;
    flags1_q <= flags0_q;
    exponent1_q <= exponent0_q - 11'(less_q);
  end
  nysx_delay #(.WIDTH(17), .STAGES(STAGES - 1)) aside (
      .clk_i, .rst_i(1'b0), .d_i({flags1_q[3:2], flags1_q[1] | infinite, flags1_q[0], field, shift}),
      .q_o({sign_late, zero_late, infinite_late, nan_late, field_late, shift_late}));
  nysx_fp32_round round (.clk_i, .sign_i(sign_late), .field_i(field_late), .shift_i(shift_late),
                         .significand_i(quotient[STAGES]), .sticky_i(rest[STAGES] != '0), .zero_i(zero_late),
                         .infinite_i(infinite_late), .nan_i(nan_late), .result_o(quotient_o));
  logic unused;
  assign unused = &{1'b0, divisor[STAGES], triple[STAGES], quotient[0][25:24]};
endmodule
