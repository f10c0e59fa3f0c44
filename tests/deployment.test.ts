import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { Compile } from 'typebox/schema'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { SETTINGS } from '#server/platform/config.ts'

const root = path.resolve(import.meta.dirname, '..')
const CHART = 'deploy/helm/scriptyard'
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')

const schema = JSON.parse(read(`${CHART}/values.schema.json`))
const values = parse(read(`${CHART}/values.yaml`))
const validator = Compile(schema)

/** Settings that contain passwords, which belong into a secret. */
const SECRETS = [
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'DATABASE_REPLICA_URLS',
  'SECRET_KEY',
  'SECRET_KEYS_RETIRED',
  'DISCORD_CLIENT_SECRET',
  'MEDIA_S3_SECRET_ACCESS_KEY',
  'BACKUP_S3_SECRET_ACCESS_KEY',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'SMTP_URL',
  'SMTP_BOUNCE_SECRET',
]
/** Settings that the image and the chart's other values determine. */
const FIXED = ['PORT', 'HOST', 'DATA_DIR', 'METRICS_PORT', 'METRICS_HOST']

describe('the values of the chart', () => {
  test('have a schema that accepts the defaults and knows all settings', () => {
    expect(validator.Errors(values)).toEqual([true, []])
    const settings = Object.keys(schema.properties.settings.properties)
    expect([...settings, ...SECRETS, ...FIXED].toSorted()).toEqual([...SETTINGS].toSorted())
  })

  test.each([
    { settings: { DATABASE_URL: 'postgres://user:password@host/database' } },
    { settings: { ADMIN_DISCORD_IDS: 100000000000000000 } },
    { settings: { DEMO_DATA: true } },
    { settings: { PUBLIC_URL: 'https://scripts.example/path' } },
    { replicas: -1 },
    { persistence: { ...values.persistence, size: 10 } },
    { service: { ...values.service, prot: 80 } },
    { unknown: {} },
  ])('are rejected with %j', (invalid) => {
    const settings = { ...values.settings, ...invalid.settings }
    expect(validator.Check({ ...values, ...invalid, settings })).toBe(false)
  })
})

test('the chart has the version of the package and the alert rules of the documentation', () => {
  const { version } = JSON.parse(read('package.json'))
  const chart = parse(read(`${CHART}/Chart.yaml`))
  expect([chart.version, chart.appVersion]).toEqual([version, version])
  expect(read(`${CHART}/alerts.yml`)).toBe(read('docs/monitoring/alerts.yml'))
})

test('the image, the compose file and the chart agree on user, port and time to stop', () => {
  const image = read('Containerfile')
  const { site } = parse(read('compose.yaml')).services
  const pod = read(`${CHART}/templates/_helpers.tpl`)
  const [, user = ''] = /^USER (\d+)/m.exec(image) ?? []
  expect(pod.match(/(?:runAsUser|runAsGroup|fsGroup): \d+/g)).toEqual(
    ['runAsUser', 'runAsGroup', 'fsGroup'].map((name) => `${name}: ${user}`),
  )
  const [, port = ''] = /^EXPOSE (\d+)/m.exec(image) ?? []
  expect(image).toContain(` PORT=${port} `)
  expect(site.ports[0]).toMatch(new RegExp(`:${port}$`))
  expect(pod).toContain(`containerPort: ${port}`)
  expect(site.stop_grace_period).toBe(`${values.terminationGracePeriodSeconds}s`)
})

test('the compose file lets the site write to its volumes only', () => {
  const { site } = parse(read('compose.yaml')).services
  expect(site).toMatchObject({ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] })
  const folders = site.volumes.map((volume: string) => volume.split(':')[1])
  expect([...folders, ...site.tmpfs]).toEqual(['/data', '/backups', '/tmp'])
})

const hasHelm = spawnSync('helm', ['version']).status === 0

describe.runIf(hasHelm)('Helm', () => {
  const render = (...settings: string[]) => {
    const all = ['settings.PUBLIC_URL=https://scripts.example', ...settings].join(',')
    return spawnSync('helm', ['template', 'test', CHART, '--set', all], { cwd: root, encoding: 'utf8' })
  }
  const kindsOf = (output: string) =>
    output
      .match(/^kind: \w+/gm)
      ?.map((line) => line.slice(6))
      .toSorted()

  test('renders one pod with a volume by default', () => {
    const { stdout, stderr } = render()
    expect(kindsOf(stdout), stderr).toEqual(['NetworkPolicy', 'PersistentVolumeClaim', 'Service', 'StatefulSet'])
  })

  test('renders several pods without a volume for a database and images elsewhere', () => {
    const external = ['database.secretName=pg', 'secretName=secrets', 'settings.MEDIA_S3_ENDPOINT=https://s3.example']
    const { stdout, stderr } = render('replicas=3', 'ingress.enabled=true', ...external)
    const kinds = ['Deployment', 'Ingress', 'NetworkPolicy', 'PodDisruptionBudget', 'Service']
    expect(kindsOf(stdout), stderr).toEqual(kinds)
    expect(stdout).toContain('host: scripts.example')
  })

  test.each([
    [['replicas=2'], 'More than one replica needs a PostgreSQL of your own'],
    [['replicas=2', 'database.secretName=pg'], 'More than one replica needs shared image storage'],
    [['settings.PUBLIC_URL='], 'Set settings.PUBLIC_URL to the https URL of the site.'],
    [
      ['metrics.serviceMonitor.enabled=true'],
      'metrics.serviceMonitor and metrics.prometheusRule need metrics.enabled.',
    ],
  ])('rejects %j with a sentence', (settings, sentence) => {
    const { status, stderr } = render(...settings)
    expect(status).toBe(1)
    expect(stderr).toContain(sentence)
  })
})
