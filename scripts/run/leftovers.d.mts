/** Stops each PostgreSQL that still runs on a cluster in this folder, without saving its data. */
export function stopServersIn(folder: string): void
