// A process that does nothing: how long it has to wait for a processor is the machine's doing.
import { monitorEventLoopDelay } from 'node:perf_hooks'

const delay = monitorEventLoopDelay({ resolution: 1 })
delay.enable()
process.on('message', () => process.send?.(Math.round(delay.max / 1e6)))
process.send?.('here')
