/* SPDX-License-Identifier: MIT */ // Rotates a vector by any number of bits, row by row. Rows arrive in cyclic order, the first from bit `offset_i` on, and are repacked
// into full rows. One rotation aligns a row's bits with the end of the previous row; bits beyond a row wait for the next. The cycle after the last
// row (last_i) must be empty, so that the remainder can leave. Rows leave at most LATENCY + 1 cycles after they arrive.
module smgpu_permute #(
    parameter int unsigned WIDTH = 512,
    localparam int unsigned PLACE_BITS = $clog2(WIDTH + 1),
    parameter int unsigned LATENCY = ($clog2(WIDTH) + 2) / 3 + 3 // derived; do not override
) (
    input  logic                  clk_i,
    input  logic                  rst_i,
    input  logic                  valid_i,
    input  logic                  first_i,  // first word of a vector
    input  logic                  last_i,   // last word of a vector
    input  logic [WIDTH-1:0]      row_i,
    input  logic [PLACE_BITS-1:0] offset_i, // position of the first row's first bit; below WIDTH
    input  logic [PLACE_BITS-1:0] bits_i,   // valid bits of this row, from bit 0; more than the offset
    output logic                  valid_o,  // ignore rows beyond the vector's row count
    output logic                  end_o,    // with or after a vector's last row
    output logic [WIDTH-1:0]      row_o
);
  localparam int unsigned ROTATION_BITS = $clog2(WIDTH);
  localparam int unsigned STAGES = (ROTATION_BITS + 2) / 3;
  // Position of this row's bits: computed from the lengths alone, ahead of the bits.
  logic [PLACE_BITS-1:0] fill_q, skip, length, place;
  logic [PLACE_BITS:0] filled, beyond;
  logic full;
  assign skip = first_i ? offset_i : '0;
  assign length = bits_i - skip;
  assign place = first_i ? '0 : fill_q;
  assign filled = {1'b0, place} + {1'b0, length};
  assign full = filled >= (PLACE_BITS + 1)'(WIDTH);
  assign beyond = filled - (PLACE_BITS + 1)'(WIDTH);
  // Registers: the rotation, and the split of the rotated row.
  logic valid_q, last_q, full_q, first_q;
  logic [WIDTH-1:0] row_q;
  logic [PLACE_BITS-1:0] skip_q, bits_q, place_q;
  logic [ROTATION_BITS-1:0] rotation_q;
  logic [PLACE_BITS:0] rotation;
  assign rotation = place >= skip ? {1'b0, place} - {1'b0, skip} : {1'b0, place} + (PLACE_BITS + 1)'(WIDTH) - {1'b0, skip};
  always_ff @(posedge clk_i) begin
    valid_q <= valid_i && !rst_i;
    {first_q, last_q, full_q} <= {first_i, last_i, full};
    {row_q, skip_q, bits_q, place_q} <= {row_i, skip, bits_i, place};
    rotation_q <= rotation[ROTATION_BITS-1:0];
    if (valid_i) fill_q <= full ? beyond[PLACE_BITS-1:0] : filled[PLACE_BITS-1:0];
  end
  logic [WIDTH-1:0] kept, rotated;
  for (genvar i = 0; i < WIDTH; i++) begin : gen_kept
    assign kept[i] = row_q[i] && PLACE_BITS'(i) >= skip_q && PLACE_BITS'(i) < bits_q;
  end
  logic valid, first, last, spills;
  logic [PLACE_BITS-1:0] from;
  logic [WIDTH-1:0] kept_q;
  logic [ROTATION_BITS-1:0] rotation2_q;
  always_ff @(posedge clk_i) begin
    kept_q <= kept;
    rotation2_q <= rotation_q;
  end
  smgpu_rotate #(.WIDTH(WIDTH)) rotate (.clk_i, .bits_i(kept_q), .places_i(rotation2_q), .bits_o(rotated));
  smgpu_delay #(.WIDTH(4 + PLACE_BITS), .STAGES(STAGES + 1)) beside (
      .clk_i, .d_i({valid_q, first_q, last_q, full_q, place_q}), .q_o({valid, first, last, spills, from}));
  logic [WIDTH-1:0] wait_q, here, behind;
  logic left_q;
  for (genvar i = 0; i < WIDTH; i++) begin : gen_parts
    assign here[i] = rotated[i] && PLACE_BITS'(i) >= from;
    assign behind[i] = rotated[i] && PLACE_BITS'(i) < from;
  end
  always_ff @(posedge clk_i) begin
    left_q <= valid && last;
    end_o <= left_q;
    valid_o <= (valid && spills) || left_q;
    row_o <= valid ? here | (first ? '0 : wait_q) : wait_q;
    if (valid) wait_q <= spills ? behind : here | (first ? '0 : wait_q);
  end
  logic unused;
  assign unused = &{1'b0, rotation[PLACE_BITS:ROTATION_BITS], beyond[PLACE_BITS]};
`ifndef SYNTHESIS
  initial assert (LATENCY == STAGES + 3) else $fatal(1, "smgpu_permute: LATENCY follows from WIDTH");
  always_ff @(posedge clk_i) assert (rst_i || !(valid && left_q)) else $error("a row came behind the last of a vector");
`endif
endmodule
