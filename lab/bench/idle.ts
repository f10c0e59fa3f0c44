// Child process without work: its event loop delay is the scheduling delay of the machine.
import { monitorEventLoopDelay } from 'node:perf_hooks'

const delay = monitorEventLoopDelay({ resolution: 1 })
delay.enable()
process.on('message', () => process.send?.(Math.round(delay.max / 1e6)))
process.send?.('ready')
