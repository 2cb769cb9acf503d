/* SPDX-License-Identifier: MIT */ // Inverse square root of a degree, which scales the Laplacian. One degree per cycle, LATENCY cycles:
// eight Newton steps y <- y (2 - d y) from a power of two, each product saturated. Then the root of y * 2^fraction, one digit per stage. 0 for degrees ≤ 0.
module smgpu_newton #(
    localparam int unsigned STEPS = 8,
    localparam int unsigned DIGITS = 28,
    parameter int unsigned LATENCY = 3 + 9 * STEPS + DIGITS // derived; do not override
) (
    input  logic               clk_i,
    input  logic               coarse_i,
    input  logic signed [31:0] degree_i, // from a register
    output logic signed [31:0] root_o
);
  // ---- initial power of two: 2 * fraction less the bits of the degree ----
  logic [5:0] bits, bits_q;
  logic signed [31:0] degree_q, degree1_q, start_q;
  logic [6:0] places;
  always_comb begin
    bits = '0;
    for (int unsigned i = 0; i < 31; i++) if (degree_i[i]) bits = 6'(i + 1);
    if (degree_i[31]) bits = '0;
  end
  assign places = (coarse_i ? 7'd32 : 7'd48) - {1'b0, bits_q};
  always_ff @(posedge clk_i) begin
    bits_q <= bits;
    degree_q <= degree_i;
    degree1_q <= degree_q;
    start_q <= places >= 7'd31 ? 32'sh7fffffff : 32'd1 << places[4:0];
  end
  for (genvar s = 0; s < STEPS; s++) begin : gen_step
    logic signed [31:0] degree, y, product, rest_q, degree_out, y_late, y_out;
    if (s == 0) begin : gen_first
      assign degree = degree1_q;
      assign y = start_q;
    end else begin : gen_next
      assign degree = gen_step[s-1].degree_out;
      assign y = gen_step[s-1].y_out;
    end
    logic signed [33:0] rest;
    assign rest = (coarse_i ? 34'sd131072 : 34'sd33554432) - 34'(product);
    smgpu_product along (.clk_i, .coarse_i, .a_i(degree), .b_i(y), .product_o(product));
    smgpu_hold #(.WIDTH(34)) held (.clk_i, .value_i(rest), .held_o(rest_q));
    smgpu_delay #(.WIDTH(32), .STAGES(5)) beside (.clk_i, .d_i(y), .q_o(y_late));
    smgpu_product next (.clk_i, .coarse_i, .a_i(y_late), .b_i(rest_q), .product_o(y_out));
    smgpu_delay #(.WIDTH(32), .STAGES(9)) below (.clk_i, .d_i(degree), .q_o(degree_out));
  end
  // ---- root: two bits of y * 2^fraction per digit ----
  logic [2*DIGITS-1:0] square_q;
  logic signed [31:0] y, degree;
  assign y = gen_step[STEPS-1].y_out;
  assign degree = gen_step[STEPS-1].degree_out;
  always_ff @(posedge clk_i)
    square_q <= degree <= 0 || y <= 0 ? '0 : coarse_i ? {{2 * DIGITS - 48{1'b0}}, y, 16'b0} : (2 * DIGITS)'({y, 24'b0});
  for (genvar d = 0; d < DIGITS; d++) begin : gen_digit
    localparam int unsigned BELOW = 2 * (DIGITS - 1 - d); // bits not yet brought down
    logic [DIGITS+1:0] rest;
    logic [DIGITS-1:0] root, root_q;
    logic [2*DIGITS-1:0] square;
    logic [DIGITS+1:0] rest_q;
    logic [DIGITS+2:0] less;
    if (d == 0) begin : gen_first
      assign rest = '0;
      assign root = '0;
      assign square = square_q;
    end else begin : gen_next
      assign rest = gen_digit[d-1].rest_q;
      assign root = gen_digit[d-1].root_q;
      assign square = gen_digit[d-1].gen_rest.below_q;
    end
    logic [DIGITS+1:0] brought;
    assign brought = {rest[DIGITS-1:0], square[BELOW+:2]};
    assign less = {1'b0, brought} - {1'b0, root, 2'b01};
    always_ff @(posedge clk_i) begin
      rest_q <= less[DIGITS+2] ? brought : less[DIGITS+1:0];
      root_q <= {root[DIGITS-2:0], !less[DIGITS+2]};
    end
    begin : gen_rest
      logic [2*DIGITS-1:0] below_q;
      always_ff @(posedge clk_i) below_q <= square;
      logic unused;
      assign unused = &{1'b0, rest[DIGITS+1:DIGITS], square, root[DIGITS-1]};
    end
  end
  assign root_o = 32'(gen_digit[DIGITS-1].root_q);
  logic unused;
  assign unused = &{1'b0, gen_digit[DIGITS-1].rest_q, gen_digit[DIGITS-1].gen_rest.below_q, places[6:5]};
`ifndef SYNTHESIS
  initial assert (LATENCY == 3 + 9 * STEPS + DIGITS) else $fatal(1, "smgpu_newton: LATENCY is fixed");
`endif
endmodule
