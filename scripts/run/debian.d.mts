/** Path of a program of a Debian package, which is installed if it is missing. Undefined if that fails. */
export function findOfDebian(program: string, packageName: string): Promise<string | undefined>
