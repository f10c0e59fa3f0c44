-- Asks for the addresses of a file, in their order, over and over; tells at the end how it went.
local requests = {}

function init(args)
  for address in io.lines(args[1]) do
    requests[#requests + 1] = wrk.format("GET", address)
  end
end

local place = 0

function request()
  place = place % #requests + 1
  return requests[place]
end

function done(summary, latency)
  local errors = summary.errors
  local failed = errors.connect + errors.read + errors.write + errors.status + errors.timeout
  io.write(string.format('{"requests":%d,"us":%d,"p50":%d,"p99":%d,"failed":%d}\n',
    summary.requests, summary.duration, latency:percentile(50), latency:percentile(99), failed))
end
