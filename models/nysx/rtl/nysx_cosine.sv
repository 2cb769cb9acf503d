/* SPDX-License-Identifier: MIT */ // The class with the largest cosine v / √n of signed values v and squared lengths n, compared exactly as
// v² times the other class's n. Classes arrive in ascending order, one per 2 LATENCY + 8 cycles; take_o requests the next, whose
// value arrives two cycles later.
// NORMS_FILE: squared length per class, at least 1.
module nysx_cosine #(
    parameter int unsigned VALUE_BITS = 22,
    parameter int unsigned NORM_BITS = 28,
    parameter int unsigned CLASSES = 2,
    parameter NORMS_FILE = "prototype_norms.hex",
    localparam int unsigned CLASS_BITS = CLASSES > 1 ? $clog2(CLASSES) : 1
) (
    input  logic                         clk_i,
    input  logic                         rst_i,
    input  logic                         waiting_i,
    output logic                         take_o,
    input  logic                         valid_i,
    input  logic [CLASS_BITS-1:0]        class_i,
    input  logic                         last_i,
    input  logic signed [VALUE_BITS-1:0] value_i,
    output logic                         valid_o,
    output logic [CLASS_BITS-1:0]        class_o
);
  // One multiplier, used three times: v², v² times the best's n, the best's v² times n.
  localparam int unsigned SQUARE_BITS = 2 * VALUE_BITS;
  localparam int unsigned FACTOR_BITS = NORM_BITS > VALUE_BITS ? NORM_BITS : VALUE_BITS;
  localparam int unsigned PRODUCT_BITS = SQUARE_BITS + FACTOR_BITS;
  localparam int unsigned LATENCY = 2 + $clog2(((SQUARE_BITS + 25) / 26) * ((FACTOR_BITS + 16) / 17));
  // Steps per class: v² ready, first product, second product, comparison, update.
  localparam int unsigned SQUARED = 1 + LATENCY, FIRST = SQUARED + 1 + LATENCY, SECOND = FIRST + 1, DONE = SECOND + 2;
  localparam int unsigned STEP_BITS = $clog2(DONE + 1);

  logic idle_q, negative_q, best_negative_q, last_q, less_q, more_q, better;
  logic [STEP_BITS-1:0] step_q; // step of the current class; 0: none
  logic [CLASS_BITS-1:0] class_q;
  logic [VALUE_BITS-1:0] magnitude_q;
  logic [NORM_BITS-1:0] norm, best_norm_q;
  logic [SQUARE_BITS-1:0] square_q, best_square_q;
  logic [PRODUCT_BITS-1:0] product, left_q, right_q;
  logic [SQUARE_BITS-1:0] a;
  logic [FACTOR_BITS-1:0] b;
  assign take_o = waiting_i && idle_q;
  nysx_rom #(.WIDTH(NORM_BITS), .DEPTH(CLASSES), .FILE(NORMS_FILE)) norms (.clk_i, .address_i(class_q), .data_o(norm));
  always_comb begin
    a = SQUARE_BITS'(magnitude_q);
    b = FACTOR_BITS'(magnitude_q);
    if (step_q == STEP_BITS'(SQUARED + 1)) begin
      a = square_q;
      b = FACTOR_BITS'(best_norm_q);
    end else if (step_q == STEP_BITS'(SQUARED + 2)) begin
      a = best_square_q;
      b = FACTOR_BITS'(norm);
    end
  end
  nysx_mul #(.A_BITS(SQUARE_BITS), .B_BITS(FACTOR_BITS)) multiply (.clk_i, .a_i(a), .b_i(b), .product_o(product));

  // A zero value has no sign and its product is zero: below any positive value, above any negative value.
  assign better = class_q == '0 || (negative_q ? best_negative_q && less_q : best_negative_q || more_q);
  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      idle_q <= 1'b1;
      step_q <= '0;
    end else begin
      if (take_o) idle_q <= 1'b0;
      else if (step_q == STEP_BITS'(DONE)) idle_q <= 1'b1;
      if (valid_i) step_q <= STEP_BITS'(1);
      else if (step_q == STEP_BITS'(DONE)) step_q <= '0;
      else if (step_q != '0) step_q <= step_q + 1'b1;
    end
    if (valid_i) begin
      magnitude_q <= value_i < 0 ? -value_i : value_i;
      negative_q <= value_i < 0;
      class_q <= class_i;
      last_q <= last_i;
    end
    if (step_q == STEP_BITS'(SQUARED)) square_q <= product[SQUARE_BITS-1:0];
    if (step_q == STEP_BITS'(FIRST)) left_q <= product;
    if (step_q == STEP_BITS'(SECOND)) right_q <= product;
    less_q <= left_q < right_q;
    more_q <= left_q > right_q;
    if (step_q == STEP_BITS'(DONE) && better) begin
      best_square_q <= square_q;
      best_norm_q <= norm;
      best_negative_q <= negative_q;
      class_o <= class_q;
    end
    valid_o <= step_q == STEP_BITS'(DONE) && last_q && !rst_i;
  end
`ifndef SYNTHESIS
  always_ff @(posedge clk_i)
    if (!rst_i) assert (!valid_i || step_q == '0) else $error("a class came during another");
`endif
endmodule
