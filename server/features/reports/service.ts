// Members report what breaks the rules, once per thing; moderators decide, never about themselves and, unless they are
// admins, never about moderators or admins. The author is told what was decided and why, and may appeal once.
export { appeal } from './appeal.ts'
export { findOwnCases } from './case-rows.ts'
export { decide } from './decide.ts'
export { moderate } from './moderate.ts'
export { getCase, listCases } from './queue.ts'
export { reportSubject } from './report.ts'
