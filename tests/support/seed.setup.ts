import fc from 'fast-check'
import { TEST_SEED } from './seed.ts'

// Properties take their seed from the run too, also where a test does not name it.
fc.configureGlobal({ seed: TEST_SEED })
