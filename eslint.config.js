import js from '@eslint/js';
import { defineConfig } from 'eslint/config';
import regexp from 'eslint-plugin-regexp';
import svelte from 'eslint-plugin-svelte';
import globals from 'globals';
import ts from 'typescript-eslint';
import { errorText } from './scripts/error-text.ts';

const size = {
  'max-lines': ['error', { max: 400, skipBlankLines: true, skipComments: true }],
  'max-lines-per-function': ['error', { max: 80, skipBlankLines: true, skipComments: true }],
  'max-params': ['error', 4],
  complexity: ['error', 12],
};

/** A path that leaves two folders: it breaks when either end moves. */
const twoUp = '/^[.][.].[.][.]/';

const syntax = [
  'error',
  { selector: 'ExportDefaultDeclaration', message: 'Named exports only.' },
  { selector: 'TSEnumDeclaration', message: 'Only erasable TypeScript: use a union.' },
  {
    selector:
      'CallExpression[arguments.length=0][callee.property.name=/^toLocale(Date|Time)?String$/]',
    message: "Name the language: that of the shell is nobody's choice.",
  },
  {
    selector: `:matches(ImportDeclaration, ImportExpression, ExportAllDeclaration, ExportNamedDeclaration) > Literal.source[value=${twoUp}]`,
    message: 'Import it by its `#` name: see `imports` of package.json.',
  },
  {
    selector: `NewExpression[callee.name='URL'] > :matches(Literal[value=${twoUp}], TemplateLiteral[quasis.0.value.raw=${twoUp}])`,
    message: 'Start at the folder of the project.',
  },
];

const style = {
  'no-console': 'error',
  eqeqeq: 'error',
  'no-restricted-syntax': syntax,
  '@typescript-eslint/consistent-type-imports': 'error',
  '@typescript-eslint/switch-exhaustiveness-check': [
    'error',
    { considerDefaultExhaustiveForUnions: true, requireDefaultForNonUnion: false },
  ],
  '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
  // `_` marks a parameter that a shape asks for and this function ignores.
  '@typescript-eslint/no-unused-vars': [
    'error',
    { argsIgnorePattern: '^_', varsIgnorePattern: '^_', destructuredArrayIgnorePattern: '^_' },
  ],
  '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
  // A pattern of handlers bound by name has async functions that happen not to wait.
  '@typescript-eslint/require-await': 'off',
  // `process.env['NAME']` and other index signatures stay visible as such.
  '@typescript-eslint/dot-notation': 'off',
};

/** Text comes from anywhere: patterns take time in proportion to its length. */
const linear = {
  'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
  'regexp/no-super-linear-move': [
    'error',
    { report: 'potential', ignoreSticky: false, ignorePartial: false },
  ],
};

const ownPatterns = {
  selector:
    ":function:not(CallExpression[callee.name='lazy'] > *) :matches(NewExpression, CallExpression)[callee.name='RegExp']",
  message:
    'No pattern is made of text from outside: use a literal, plain string functions or re2js.',
};

const spreadLiteral = {
  selector: 'ObjectExpression > SpreadElement > ObjectExpression',
  message: 'Write its properties where they stand.',
};

export default defineConfig(
  { ignores: ['out/', 'dist/', 'coverage/', 'test/canary/', '**/*.cjs'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  js.configs.recommended,
  ts.configs.strictTypeChecked,
  ts.configs.stylisticTypeChecked,
  svelte.configs.recommended,
  {
    languageOptions: {
      parserOptions: { projectService: true, extraFileExtensions: ['.svelte'] },
    },
    plugins: { regexp },
    rules: { ...size, ...style, ...linear },
  },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: {
      globals: globals.browser,
      parserOptions: { parser: ts.parser },
    },
  },
  // State is `$state.raw` and replaced whole; a Map in it is never changed in place.
  { rules: { 'svelte/prefer-svelte-reactivity': 'off' } },
  // The type checker knows every name, the runes and the browser's own included.
  { files: ['**/*.svelte'], rules: { 'no-undef': 'off' } },
  {
    // test/layers.cjs sees what a component imports once its types are erased; this sees the types too.
    files: ['src-renderer/**/*.svelte'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              regex: '^#(?!shared/(?!search/)|preload/|renderer/)',
              message: 'See test/layers.cjs.',
            },
          ],
        },
      ],
    },
  },
  {
    // Who may see what of a stream is asked in one place; these three judge lists, or what the store hands them.
    files: ['src-main/service/**'],
    ignores: [
      'src-main/service/core/stream-access.ts',
      'src-main/service/features/reading/operations/{history-scope,read-state}.ts',
      'src-main/service/features/register/operations/streams.ts',
    ],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              regex: '/policies/streams\\.ts$',
              importNames: ['canSeeStream', 'canReadHistory'],
              message: 'Ask service/core/stream-access.ts.',
            },
          ],
        },
      ],
    },
  },
  {
    files: ['src-*/**', 'test/canary/**'],
    rules: {
      'no-restricted-syntax': [...style['no-restricted-syntax'], ownPatterns, spreadLiteral],
    },
  },
  {
    // What joins parts is a list, and read as one whatever its length.
    files: ['src-main/**/create-*.ts', 'src-main/**/{service,compose-service,app}.ts'],
    rules: { 'max-lines-per-function': 'off' },
  },
  {
    files: ['src-*/**'],
    plugins: { hearth: { rules: { 'error-text': errorText } } },
    rules: { 'hearth/error-text': 'error' },
  },
  // Made of the JSON beside it, however long that is.
  { files: ['src-main/shared/i18n/en/*.ts'], rules: { 'max-lines': 'off' } },
  {
    files: ['scripts/**', 'test/bench/**', 'src-main/hosting/serve.ts'],
    rules: { 'no-console': 'off' },
  },
  {
    files: ['test/**'],
    rules: {
      'max-lines': ['error', { max: 650, skipBlankLines: true, skipComments: true }],
      'max-lines-per-function': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
      // Assertion libraries take methods apart on purpose, and a page's answers are untyped.
      '@typescript-eslint/unbound-method': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
    },
  },
  {
    files: ['src-main/**/*.ts'],
    rules: {
      'no-restricted-syntax': [
        ...syntax,
        ownPatterns,
        spreadLiteral,
        {
          selector:
            "MemberExpression[property.name='write'] > MemberExpression[object.name='process'][property.name=/^std(out|err)$/]",
          message: 'Print with node/terminal.ts: what comes from outside is cleaned there.',
        },
        {
          selector:
            ":matches(NewExpression[callee.name='RegExp'][arguments.1.value=/v/], Literal[regex.pattern=/RGI_Emoji/]):not(:function *)",
          message: 'Every start pays for this pattern: make it with shared/text/lazy.ts.',
        },
        {
          selector: "CallExpression[callee.property.name='toLocaleString']",
          message: 'The tables of languages cost each process 8 MiB: use shared/text/thousands.ts.',
        },
      ],
    },
  },
  {
    files: ['*.config.{js,ts}', 'electron-builder.ts', 'test/*.config.ts'],
    rules: { 'no-restricted-syntax': 'off' },
  },
  { files: ['**/*.js'], ...ts.configs.disableTypeChecked },
);
