import path from 'node:path'

export interface ServiceOptions {
  root: string
  node: string
  user: string
  dataDir: string
  /** Folders of backups and archives, which must exist when the service starts. */
  backupFolders?: string[]
  /** TMPDIR of the service; /tmp by default. */
  temporaryFolder?: string | undefined
  port: number
  envFile: string | undefined
}

/** Ports below need a capability. */
const FIRST_FREE_PORT = 1024

/**
 * A unit file for systemd. The site may write its data folder, its backups and temporary files and nothing else, sees no other user's processes and
 * files, and gets no new rights. It may not be denied writable code, which V8 compiles.
 */
export function describeService(options: ServiceOptions): string {
  const { root, node, user, dataDir, backupFolders = [], temporaryFolder = '/tmp', port, envFile } = options
  const isRoot = user === 'root'
  // PostgreSQL's socket is in the temporary folder, or in /tmp if that has a long name.
  const writable = new Set([isRoot ? path.dirname(dataDir) : dataDir, ...backupFolders, temporaryFolder, '/tmp'])
  const lines = [
    '[Unit]',
    'Description=Scriptyard',
    'Wants=network-online.target',
    'After=network-online.target postgresql.service',
    '',
    '[Service]',
    'Type=exec',
    `User=${user}`,
    `WorkingDirectory=${escapeSpecifiers(root)}`,
    ...(envFile === undefined ? [] : [`EnvironmentFile=${escapeSpecifiers(envFile)}`]),
    `Environment=NODE_ENV=production ${quote(`DATA_DIR=${dataDir}`)}`,
    `ExecStart=${quote(node)} ${quote(path.join(root, 'server/main.ts'))}`,
    `ExecReload=${quote(node)} ${quote(path.join(root, 'scripts/reload.ts'))}`,
    // The primary passes the signal on to its workers and to PostgreSQL.
    'KillMode=mixed',
    'TimeoutStopSec=60',
    'Restart=on-failure',
    'RestartSec=2',
    'LimitNOFILE=65536',
    'OOMPolicy=continue',
    'UMask=0027',
    '',
    'NoNewPrivileges=yes',
    'ProtectSystem=strict',
    // A data folder in a home has to be reachable.
    'ProtectHome=read-only',
    `ReadWritePaths=${[...writable].map((folder) => quote(`-${folder}`)).join(' ')}`,
    // Commands such as `npm run dump` reach PostgreSQL through its socket there.
    'PrivateTmp=no',
    'PrivateDevices=yes',
    'ProtectKernelTunables=yes',
    'ProtectKernelModules=yes',
    'ProtectKernelLogs=yes',
    'ProtectControlGroups=yes',
    'ProtectClock=yes',
    'ProtectHostname=yes',
    'ProtectProc=invisible',
    'RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX',
    'RestrictNamespaces=yes',
    'RestrictRealtime=yes',
    'RestrictSUIDSGID=yes',
    'LockPersonality=yes',
    'SystemCallArchitectures=native',
    ...(isRoot ? [] : [`CapabilityBoundingSet=${port < FIRST_FREE_PORT ? 'CAP_NET_BIND_SERVICE' : ''}`]),
    ...(!isRoot && port < FIRST_FREE_PORT ? ['AmbientCapabilities=CAP_NET_BIND_SERVICE'] : []),
    '',
    '[Install]',
    'WantedBy=multi-user.target',
    '',
  ]
  return lines.join('\n')
}

/** `%` starts a specifier of systemd, also in quotes. */
const escapeSpecifiers = (text: string): string => text.replaceAll('%', '%%')

/** A word of a list or a command line, with spaces and quotes. `$` would be a variable. */
const quote = (text: string): string =>
  `"${escapeSpecifiers(text).replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('$', '$$$$')}"`
