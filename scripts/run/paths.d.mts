export function fromRoot(...parts: string[]): string
/** Hash of these files and of all files in these folders, tests excepted. */
export function hashOf(...paths: string[]): string
/** Whether a file of the project, which may be missing, has another content than `value`. */
export function isStale(stamp: string, value: string): boolean
/** Exits with an error message, because a build cannot write its files. */
export function exitAsReadOnly(): never
