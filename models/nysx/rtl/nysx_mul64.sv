/* SPDX-License-Identifier: MIT */ // Low 64 bits of a product by a constant, one per cycle, LATENCY = 3 cycles: eight partial products of at most 26 by
// 17 bits (FPGA multiplier size), then two adder levels of three parts; the four short upper parts are added beside them.
module nysx_mul64 #(
    parameter logic [63:0] FACTOR = 64'hff51afd7ed558ccd
) (
    input  logic        clk_i,
    input  logic [63:0] value_i,
    output logic [63:0] product_o
);
  // value: 26, 26 and 12 bits; factor: 17, 17, 17 and 13 bits; products at bit 64 or above are omitted
  localparam logic [16:0] F0 = FACTOR[16:0], F1 = FACTOR[33:17], F2 = FACTOR[50:34];
  localparam logic [12:0] F3 = FACTOR[63:51];
  logic [42:0] p00_q, p01_q, p10_q;
  logic [29:0] p02_q;
  logic [12:0] p03_q;
  logic [20:0] p11_q;
  logic [3:0] p12_q;
  logic [11:0] p20_q;
  always_ff @(posedge clk_i) begin
    p00_q <= 43'(value_i[25:0]) * 43'(F0);
    p01_q <= 43'(value_i[25:0]) * 43'(F1);
    p02_q <= 30'(value_i[25:0]) * 30'(F2);
    p03_q <= 13'(value_i[12:0]) * F3;
    p10_q <= 43'(value_i[51:26]) * 43'(F0);
    p11_q <= 21'(value_i[46:26]) * 21'(F1);
    p12_q <= value_i[29:26] * F2[3:0];
    p20_q <= value_i[63:52] * F0[11:0];
  end
  logic [63:0] low_q;
  logic [37:0] middle_q;
  logic [20:0] high_q;
  always_ff @(posedge clk_i) begin
    low_q <= 64'(p00_q) + {4'b0, p01_q, 17'b0} + {p02_q, 34'b0};
    middle_q <= p10_q[37:0];
    high_q <= p11_q + {p03_q, 8'b0} + {p20_q, 9'b0} + {p12_q, 17'b0};
    product_o <= low_q + {middle_q, 26'b0} + {high_q, 43'b0};
  end
  logic unused;
  assign unused = &{1'b0, p10_q[42:38]};
endmodule
