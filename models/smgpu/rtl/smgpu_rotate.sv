/* SPDX-License-Identifier: MIT */ // Rotates WIDTH bits left by fewer than WIDTH places, LATENCY cycles: one level per bit of that number, three levels per cycle.
module smgpu_rotate #(
    parameter int unsigned WIDTH = 512,
    localparam int unsigned PLACE_BITS = WIDTH > 1 ? $clog2(WIDTH) : 1,
    parameter int unsigned LATENCY = (PLACE_BITS + 2) / 3 // derived; do not override
) (
    input  logic                  clk_i,
    input  logic [WIDTH-1:0]      bits_i,
    input  logic [PLACE_BITS-1:0] places_i,
    output logic [WIDTH-1:0]      bits_o
);
  for (genvar s = 0; s < LATENCY; s++) begin : gen_stage
    localparam int unsigned FIRST = 3 * s;
    localparam int unsigned LEVELS = PLACE_BITS - FIRST < 3 ? PLACE_BITS - FIRST : 3;
    logic [WIDTH-1:0] in, out_q;
    logic [PLACE_BITS-1:0] places, places_q;
    if (s == 0) begin : gen_first
      assign in = bits_i;
      assign places = places_i;
    end else begin : gen_next
      assign in = gen_stage[s-1].out_q;
      assign places = gen_stage[s-1].places_q;
    end
    for (genvar l = 0; l < LEVELS; l++) begin : gen_level
      localparam int unsigned BY = 1 << (FIRST + l);
      logic [WIDTH-1:0] in_bits, out_bits;
      if (l == 0) begin : gen_in
        assign in_bits = in;
      end else begin : gen_after
        assign in_bits = gen_level[l-1].out_bits;
      end
      assign out_bits = places[FIRST+l] ? {in_bits[WIDTH-BY-1:0], in_bits[WIDTH-1:WIDTH-BY]} : in_bits;
    end
    always_ff @(posedge clk_i) begin
      out_q <= gen_level[LEVELS-1].out_bits;
      places_q <= places;
    end
  end
  assign bits_o = gen_stage[LATENCY-1].out_q;
  logic unused;
  assign unused = &{1'b0, gen_stage[LATENCY-1].places_q};
`ifndef SYNTHESIS
  initial assert (LATENCY == (PLACE_BITS + 2) / 3) else $fatal(1, "smgpu_rotate: LATENCY follows from WIDTH");
`endif
endmodule
