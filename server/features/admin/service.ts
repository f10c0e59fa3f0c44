// Admins act on members and scripts here, and see what became of it. Every deed stands in one transaction with its entry in
// the audit log; the right to it is read again there, nobody acts on themself, and there is always an admin left.
export { getUserDetails } from './user-details.ts'
export { listScripts } from './list-scripts.ts'
export { listUsers } from './list-users.ts'
export { performAction } from '#server/features/admin/actions/perform.ts'
export { getStats } from './stats.ts'
export { createSystemStatus } from './system.ts'
