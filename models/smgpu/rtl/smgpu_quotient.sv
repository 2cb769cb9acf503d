/* SPDX-License-Identifier: MIT */ // dividend * 2^(DIGITS - 1) / divisor, rounded down, for dividend ≤ divisor; one digit per stage, DIGITS + 1 cycles latency. The divisor must stay
// constant meanwhile.
module smgpu_quotient #(
    parameter int unsigned DIGITS = 25,
    parameter int unsigned DIVISOR = 40
) (
    input  logic               clk_i,
    input  logic [31:0]        dividend_i,
    input  logic [DIVISOR-1:0] divisor_i,
    output logic [DIGITS-1:0]  quotient_o
);
  logic [31:0] dividend_q;
  always_ff @(posedge clk_i) dividend_q <= dividend_i;
  for (genvar d = 0; d < DIGITS; d++) begin : gen_digit
    logic [DIVISOR:0] rest, rest_q;
    logic [DIVISOR+1:0] less;
    logic [DIGITS-1:0] digits, digits_q;
    if (d == 0) begin : gen_first
      assign rest = (DIVISOR + 1)'(dividend_q);
      assign digits = '0;
    end else begin : gen_next
      assign rest = gen_digit[d-1].rest_q;
      assign digits = gen_digit[d-1].digits_q;
    end
    assign less = {1'b0, rest} - {2'b0, divisor_i};
    always_ff @(posedge clk_i) begin
      rest_q <= less[DIVISOR+1] ? {rest[DIVISOR-1:0], 1'b0} : {less[DIVISOR-1:0], 1'b0};
      digits_q <= {digits[DIGITS-2:0], !less[DIVISOR+1]};
    end
    logic unused;
    assign unused = &{1'b0, rest[DIVISOR], less[DIVISOR], digits[DIGITS-1]};
  end
  assign quotient_o = gen_digit[DIGITS-1].digits_q;
  logic unused;
  assign unused = &{1'b0, gen_digit[DIGITS-1].rest_q};
endmodule
