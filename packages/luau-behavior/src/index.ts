export { CAPABILITIES, type CapabilityId, type Certainty, type Evidence, type Finding } from './capabilities.ts'
export { analyze, type Card } from './analyze.ts'
