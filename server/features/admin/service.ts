// Admins act on members and scripts here, and see what became of it. Every deed stands in one transaction with its entry in
// the audit log; the right to it is read again there, nobody acts on themself, and there is always an admin left.
export { getMemberFile } from './member-file.ts'
export { listScripts } from './list-scripts.ts'
export { listUsers } from './list-users.ts'
export { perform } from '#server/features/admin/deeds/perform.ts'
export { getStats } from './stats.ts'
export { watchSystem } from './system.ts'
