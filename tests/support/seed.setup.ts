import fc from 'fast-check'
import { TEST_SEED } from './seed.ts'

// Properties that do not set a seed use the seed of the run.
fc.configureGlobal({ seed: TEST_SEED })
