// The server tells members what happened to what is theirs, in the transaction of the deed; members choose the kinds they
// hear of, but sanctions and what admins send always arrive. What goes to all is one row, and marks of who read it.
export { type Event, type EventKind, notify } from './notify.ts'
export { type Letter, sendTo, sendToAll } from './send.ts'
