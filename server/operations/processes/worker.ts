import { loadProgram } from '../../load-program.ts'

await loadProgram('worker-process')
