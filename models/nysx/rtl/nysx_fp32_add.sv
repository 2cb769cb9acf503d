/* SPDX-License-Identifier: MIT */ // IEEE single-precision sum, rounded to nearest even, with subnormals, infinities and NaN (always the quiet NaN
// 0x7fc00000); one per cycle, LATENCY = 6 cycles.
module nysx_fp32_add (
    input  logic        clk_i,
    input  logic [31:0] a_i,
    input  logic [31:0] b_i,
    output logic [31:0] sum_o
);
  // 1: larger magnitude first; independent terms in parallel with the comparison
  logic swap, normal_a, normal_b, full_a, full_b;
  logic [7:0] exponent_a, exponent_b;
  assign swap = a_i[30:0] < b_i[30:0];
  assign normal_a = a_i[30:23] != '0;
  assign normal_b = b_i[30:23] != '0;
  assign exponent_a = {a_i[30:24], a_i[23] | !normal_a};
  assign exponent_b = {b_i[30:24], b_i[23] | !normal_b};
  assign full_a = a_i[30:23] == 8'hff;
  assign full_b = b_i[30:23] == 8'hff;
  logic sign1_q, minus1_q, nan1_q, infinite1_q;
  logic [7:0] exponent1_q, shift1_q;
  logic [23:0] big1_q, small1_q;
  always_ff @(posedge clk_i) begin
    sign1_q <= swap ? b_i[31] : a_i[31];
    minus1_q <= a_i[31] != b_i[31];
    nan1_q <= (full_a && a_i[22:0] != '0) || (full_b && b_i[22:0] != '0) || (full_a && full_b && a_i[31] != b_i[31]);
    infinite1_q <= full_a || full_b;
    exponent1_q <= swap ? exponent_b : exponent_a;
    shift1_q <= swap ? exponent_b - exponent_a : exponent_a - exponent_b;
    big1_q <= swap ? {normal_b, b_i[22:0]} : {normal_a, a_i[22:0]};
    small1_q <= swap ? {normal_a, a_i[22:0]} : {normal_b, b_i[22:0]};
  end

  // 2: align, with guard, round and sticky
  logic [26:0] wide, lost;
  assign wide = {small1_q, 3'b0};
  assign lost = shift1_q > 8'd26 ? '1 : ~(27'h7ffffff << shift1_q[4:0]);
  logic sign2_q, minus2_q, nan2_q, infinite2_q;
  logic [7:0] exponent2_q;
  logic [26:0] big2_q, small2_q;
  always_ff @(posedge clk_i) begin
    {sign2_q, minus2_q, nan2_q, infinite2_q} <= {sign1_q, minus1_q, nan1_q, infinite1_q};
    exponent2_q <= exponent1_q;
    big2_q <= {big1_q, 3'b0};
    small2_q <= (shift1_q > 8'd26 ? 27'b0 : wide >> shift1_q[4:0]) | 27'((wide & lost) != '0);
  end

  // 3: add
  logic sign3_q, minus3_q, nan3_q, infinite3_q;
  logic [7:0] exponent3_q;
  logic [27:0] sum3_q;
  logic [31:0] limit3_q; // one-hot: stops the count of leading zeros at the exponent
  always_ff @(posedge clk_i) begin
    {sign3_q, minus3_q, nan3_q, infinite3_q} <= {sign2_q, minus2_q, nan2_q, infinite2_q};
    exponent3_q <= exponent2_q;
    for (int unsigned i = 0; i < 32; i++) limit3_q[i] <= exponent2_q == 8'(31 - i);
    sum3_q <= {1'b0, big2_q} + (minus2_q ? ~{1'b0, small2_q} : {1'b0, small2_q}) + 28'(minus2_q);
  end

  // 4: leading zeros, limited by the exponent
  logic [4:0] zeros;
  logic [31:0] counted;
  assign counted = {sum3_q, 4'b0} | limit3_q;
  nysx_leading_zeros lzc (.value_i(counted), .zeros_o(zeros));
  logic sign4_q, nan4_q, infinite4_q;
  logic [7:0] exponent4_q;
  logic [4:0] shift4_q;
  logic [27:0] sum4_q;
  always_ff @(posedge clk_i) begin
    sign4_q <= sign3_q && (sum3_q != '0 || !minus3_q);
    {nan4_q, infinite4_q} <= {nan3_q, infinite3_q};
    exponent4_q <= exponent3_q;
    sum4_q <= sum3_q;
    shift4_q <= zeros;
  end

  // 5: normalise: bit 27 is the leading one, worth exponent + 1; a subnormal has no leading one and exponent field 0
  logic [27:0] normal;
  assign normal = sum4_q << shift4_q;
  logic sign5_q, nan5_q, infinite5_q;
  logic [7:0] exponent5_q;
  logic [26:0] sum5_q;
  always_ff @(posedge clk_i) begin
    {sign5_q, nan5_q, infinite5_q} <= {sign4_q, nan4_q, infinite4_q};
    exponent5_q <= normal[27] ? exponent4_q + 8'd1 - 8'(shift4_q) : 8'd0;
    sum5_q <= normal[26:0];
  end

  // 6: round; a carry increments the exponent
  logic up;
  logic [30:0] rounded;
  assign up = sum5_q[3] && (sum5_q[4] || sum5_q[2:0] != '0);
  assign rounded = {exponent5_q, sum5_q[26:4]} + 31'(up);
  always_ff @(posedge clk_i)
    if (nan5_q) sum_o <= 32'h7fc00000;
    else if (infinite5_q || rounded[30:23] == 8'hff) sum_o <= {sign5_q, 8'hff, 23'b0};
    else sum_o <= {sign5_q, rounded};
endmodule
