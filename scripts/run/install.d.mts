export function npmCommand(): { program: string; first: string[]; options: { shell?: boolean } }
