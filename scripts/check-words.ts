// Rejects the words that docs/glossary.md replaces: in file names, declared names (also those of db/schema.sql), comments,
// messages and documents of all tracked files.
// `node scripts/check-words.ts [PATH...]` looks at these paths only.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { parseSync, Visitor } from 'oxc-parser'

interface Rule {
  words: RegExp
  use: string
}

const rule = (words: RegExp, use: string): Rule => ({ words, use })

/** Matched against each declared name and file name, written in lower case with spaces between its words. */
const NAME_RULES: readonly Rule[] = [
  rule(/\bdeeds?\b/, 'action'),
  rule(/\bkept\b|^keep (?!alive)/, 'cached, stored, retained'),
  rule(/\b(told|tells?|telling)\b/, 'notify, emit, publish'),
  rule(/^given\b|\bgiven$/, 'input, raw'),
  rule(/\b(refusals?|refuses?|refused)\b/, 'error, reject'),
  rule(/^(most|least|longest)\b/, 'max, min, maxLength'),
  rule(/^(at|place)$/, 'index, offset, position'),
  rule(/^note (?!s\b)/, 'invalidate, record, enqueue'),
  rule(/\bfigures?\b/, 'stats, counts, metrics'),
  rule(/\b(short|long) way\b|^go long$/, 'fast path, slow path'),
  rule(/\bways\b/, 'options, strategies'),
  rule(/\bworth\b/, 'score, weight'),
  rule(/\bbeginnings?\b|\bbegins with\b/, 'prefix'),
  rule(/\b(meet|meeting|met)\b/, 'intersect'),
  rule(/\bstand ins?\b/, 'fake Discord, emulator'),
  rule(/\b(meanwhile|anew|whoever|thereby|commonest|whole of)\b/, 'a plain word'),
  rule(/\bpatience\b/, 'timeout, deadline'),
  rule(/\b(hear|hears|heard|hearing)\b/, 'receive, handler'),
  rule(/\b(floors?|climbs?)\b/, 'layer, upward import'),
  rule(/\bwish(es)?\b/, 'publish request'),
  rule(/\brepresents?\b/, 'serialize, toCard'),
  rule(/\bordering\b/, 'sort, orderBy'),
  rule(/^finished\b(?! at$)/, 'cached response, done, ended'),
  rule(/\b(chores?|upkeep)\b/, 'scheduled job, maintenance'),
  rule(/\bsiblings?\b/, 'worker, peer'),
  rule(/\b(own set|second chance|exchanged limit|hand ?offs?|scouts?|explained|closing line)\b/, 'the standard term'),
]

/** Matched against comments, string literals, JSX text and documents. */
const TEXT_RULES: readonly Rule[] = [
  rule(/\b(anew|for ever|whoever|commonest|thereby|meanwhile)\b/i, 'a plain word'),
  rule(/\bdeeds?\b/i, 'action'),
  rule(/\bstand-ins?\b/i, 'fake Discord, emulator'),
  rule(/\b(chores?|upkeep)\b/i, 'scheduled job, maintenance'),
  rule(/\bsiblings?\b/i, 'worker, peer'),
  rule(/\bpatience\b/i, 'timeout, deadline'),
  rule(/\brefusals?\b/i, 'error, rejection'),
  rule(/\b(short|long) way\b/i, 'fast path, slow path'),
  rule(
    /(^\W*|[.;:(]\s+|\b(by|of|for|to|from|with|than|what) )who (acts|asks|comes|did|gets|has|is|may|wants|was)\b(?!.*\?)/i,
    'a named subject',
  ),
  rule(/\bfor good\b/i, 'permanently'),
  rule(/\be-mail/i, 'email'),
  rule(/\b(is|are|was|were) told\b/i, 'notify'),
  rule(/\bsecond chance\b/i, 'the standard term'),
  rule(/\bfigures\b/i, 'stats, numbers'),
  rule(/\bwish(es)?\b/i, 'request'),
  rule(/\bkept\b(?! mute)/i, 'cached, stored, retained'),
  rule(/\bworth\b/i, 'score, weight'),
  rule(/\bbeginnings?\b/i, 'prefix, start'),
  rule(/\brefused\b(?! (the )?connection)/i, 'rejected'),
  rule(/\bways\b/i, 'options, strategies'),
]

const SOURCE = /\.(ts|tsx|mjs|mts)$/
/** Every line is checked. */
const DOCUMENTS =
  /(\.(md|css|ya?ml|tpl|sh|txt|cfg|ini|example)|\/package\.json|schema\.json|dashboard\.json|Containerfile|\.ci\/run)$/
/** Only the comments are checked. */
const LUAU = /\.luau?$/
const SCHEMA = 'db/schema.sql'
/** A name that db/schema.sql declares: of a table, function, trigger, index or constraint, or of a column. */
const SCHEMA_NAME =
  /^(?:CREATE (?:\w+ )*?(?:TABLE|VIEW|FUNCTION|TRIGGER|INDEX|SEQUENCE)|  CONSTRAINT| (?= ))? "?([a-z]\w*)"?/
/** The rank of a giveaway's winner is a `place` in the API and in dumps. */
const PLACE = 'place'
/** Where the words are listed, or are somebody else's, or cannot be changed any more. */
const EXEMPT = new RegExp(
  [
    '^(scripts/check-words|docs/glossary\\.md|docs/behavior-evaluation\\.md|LICENSE|CODE_OF_CONDUCT\\.md|db/migrations/)',
    '\\.generated\\.ts$|\\.snapshot\\.txt$',
  ].join('|'),
)

const LOG_LEVELS = /^(trace|debug|info|warn|error|fatal)$/

interface Finding {
  file: string
  line: number
  found: string
  use: string
}

const spaced = (name: string): string =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/[^A-Za-z0-9]+/g, ' ')
    .trim()
    .toLowerCase()

const matching = (text: string, rules: readonly Rule[]) => rules.find(({ words }) => words.test(text))

/** Names that a file declares and texts that it has, each with its offset. */
interface Declarations {
  names: [string, number][]
  texts: [string, number][]
}

function readSource(file: string, text: string): Declarations {
  const names: [string, number][] = []
  const texts: [string, number][] = []
  const { program, comments } = parseSync(file, text)
  for (const { value, start } of comments) texts.push([value, start])
  const bind = (node: unknown): void => {
    if (!node || typeof node !== 'object') return
    const { type } = node as { type: string }
    if (type === 'Identifier') names.push([(node as { name: string }).name, (node as { start: number }).start])
    else if (type === 'ObjectPattern') {
      for (const property of (node as { properties: { type: string; value?: unknown; shorthand?: boolean }[] })
        .properties)
        if (property.type === 'RestElement') bind((property as { argument?: unknown }).argument)
        else if (!property.shorthand) bind(property.value)
    } else if (type === 'ArrayPattern') for (const element of (node as { elements: unknown[] }).elements) bind(element)
    else if (type === 'AssignmentPattern') bind((node as { left: unknown }).left)
    else if (type === 'RestElement') bind((node as { argument: unknown }).argument)
    else if (type === 'TSParameterProperty') bind((node as { parameter: unknown }).parameter)
  }
  const bindFunction = (node: { id?: unknown; params: unknown[] }) => {
    bind(node.id)
    for (const parameter of node.params) bind(parameter)
  }
  const bindKey = (node: { key: { type: string; name?: string; start: number }; computed?: boolean }) => {
    if (!node.computed && 'name' in node.key && node.key.name) names.push([node.key.name, node.key.start])
  }
  new Visitor({
    VariableDeclarator: (node) => bind(node.id),
    FunctionDeclaration: bindFunction,
    FunctionExpression: bindFunction,
    ArrowFunctionExpression: (node) => node.params.forEach(bind),
    ClassDeclaration: (node) => bind(node.id),
    TSTypeAliasDeclaration: (node) => bind(node.id),
    TSInterfaceDeclaration: (node) => bind(node.id),
    MethodDefinition: (node) => bindKey(node as never),
    PropertyDefinition: (node) => bindKey(node as never),
    TSPropertySignature: (node) => bindKey(node as never),
    TSMethodSignature: (node) => bindKey(node as never),
    TSEnumMember: (node) => bind(node.id),
    ImportSpecifier: (node) => {
      if (node.imported.type === 'Identifier' && node.local.name !== node.imported.name) bind(node.local)
    },
    ImportDefaultSpecifier: (node) => bind(node.local),
    ImportNamespaceSpecifier: (node) => bind(node.local),
    Property: (node) => {
      if (/Function/.test(node.value.type)) bindKey(node as never)
    },
    CallExpression: ({ callee, arguments: [fields] }) => {
      const isLog = callee.type === 'MemberExpression' && LOG_LEVELS.test(text.slice(callee.property.start, callee.end))
      if (!isLog || fields?.type !== 'ObjectExpression') return
      for (const property of fields.properties) if (property.type === 'Property') bindKey(property as never)
    },
    Literal: (node) => {
      if (typeof node.value === 'string') texts.push([node.value, node.start])
    },
    TemplateElement: (node) => {
      texts.push([node.value.raw, node.start])
    },
    JSXText: (node) => {
      texts.push([node.value, node.start])
    },
  }).visit(program)
  return { names, texts }
}

/** Names that db/schema.sql declares, and its comments. */
function readSchema(text: string): Declarations {
  const names: [string, number][] = []
  const texts: [string, number][] = []
  let offset = 0
  for (const line of text.split('\n')) {
    if (line.startsWith('--')) texts.push([line, offset])
    const [, name] = SCHEMA_NAME.exec(line) ?? []
    if (name && name !== PLACE) names.push([name, offset])
    offset += line.length + 1
  }
  return { names, texts }
}

function check(file: string): Finding[] {
  const findings: Finding[] = []
  const fileRule = file
    .replace(/\.[a-z.]+$/, '')
    .split('/')
    .map((part) => matching(spaced(part), NAME_RULES))
    .find(Boolean)
  if (fileRule) findings.push({ file, line: 1, found: 'the file name', use: fileRule.use })
  const text = readFileSync(file, 'utf8')
  const add = (word: string, offset: number, { words, use }: Rule, inName: boolean) => {
    const shown = inName ? word : (words.exec(word)?.[0] ?? word)
    findings.push({ file, line: text.slice(0, offset).split('\n').length, found: shown, use })
  }
  if (DOCUMENTS.test(file) || LUAU.test(file)) {
    for (const [index, whole] of text.split('\n').entries()) {
      const line = LUAU.test(file) ? (/--.*/.exec(whole)?.[0] ?? '') : whole
      const broken = matching(line, TEXT_RULES)
      if (broken) findings.push({ file, line: index + 1, found: broken.words.exec(line)?.[0] ?? '', use: broken.use })
    }
    return findings
  }
  if (!SOURCE.test(file) && file !== SCHEMA) return findings
  const { names, texts } = file === SCHEMA ? readSchema(text) : readSource(file, text)
  for (const [name, offset] of names) {
    const broken = matching(spaced(name), NAME_RULES)
    if (broken) add(name, offset, broken, true)
  }
  for (const [value, offset] of texts) {
    const broken = matching(value, TEXT_RULES)
    if (broken) add(value, offset, broken, false)
  }
  return findings
}

const wanted = process.argv.slice(2)
const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '--', ...wanted], { encoding: 'utf8' })
const files = listed.split('\n').filter((file) => file !== '' && !EXEMPT.test(file) && existsSync(file))
const findings = files.flatMap((file) => check(file))
for (const { file, line, found: word, use } of findings) console.log(`${file}:${line}: "${word}": use ${use}`)
if (findings.length > 0) {
  console.error(`${findings.length} replaced words. See docs/glossary.md.`)
  process.exitCode = 1
}
