export { CAPABILITIES, type CapabilityId, type Certainty, type Evidence, type Finding, UNREAD } from './capabilities.ts'
export { analyze, ANALYZER_VERSION, type Card } from './analyze.ts'
export { mergeRun } from './merge.ts'
export { maskSecrets } from './secrets.ts'
