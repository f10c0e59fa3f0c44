import { loadProgram } from './load-program.ts'

await loadProgram('primary-process')
