/* SPDX-License-Identifier: MIT */ // Round-robin arbiter: merges COUNT streams into one, starting after the stream last granted. The grant is one-hot of COUNT
// bits. A skid buffer registers the output, so latency is one cycle or more.
module nysx_arbiter #(
    parameter int unsigned COUNT = 4,
    parameter int unsigned WIDTH = 8
) (
    input  logic                   clk_i,
    input  logic                   rst_i,
    input  logic [COUNT-1:0]       valid_i,
    input  logic [COUNT*WIDTH-1:0] data_i,
    output logic [COUNT-1:0]       ready_o, // grant: the data is taken
    output logic                   valid_o,
    output logic [WIDTH-1:0]       data_o,
    input  logic                   ready_i
);
  logic [COUNT-1:0] behind_q, behind, any, chosen; // behind_q: streams after the last grant; behind, any: first valid one of those, of all, and every one above
  logic [WIDTH-1:0] data;
  logic room;
  always_comb begin
    behind = valid_i & behind_q;
    any = valid_i;
    for (int unsigned i = 1; i < COUNT; i++) begin
      behind[i] = behind[i] || behind[i-1];
      any[i] = any[i] || any[i-1];
    end
    // lowest one of each run
    chosen = behind[COUNT-1] ? behind & ~(behind << 1) : any & ~(any << 1);
    data = '0;
    for (int unsigned i = 0; i < COUNT; i++) data = data | (data_i[i*WIDTH+:WIDTH] & {WIDTH{chosen[i]}});
  end
  assign ready_o = room ? chosen : '0;
  always_ff @(posedge clk_i)
    if (rst_i) behind_q <= '0;
    else if (room && any[COUNT-1]) behind_q <= (behind[COUNT-1] ? behind : any) << 1;
  logic [1:0] unused_count;
  nysx_fifo #(.WIDTH(WIDTH), .DEPTH(2)) skid (.clk_i, .rst_i, .valid_i(any[COUNT-1] && room), .ready_o(room), .data_i(data),
                                              .valid_o, .ready_i, .data_o, .count_o(unused_count));
endmodule
