/** Writes docs/conformance.md, which is not kept: which tests prove which row of the specification. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { conformanceDocument } from '#test/service/conformance/document.ts';
import { projectDir } from './run.ts';

writeFileSync(join(projectDir, 'docs', 'conformance.md'), conformanceDocument());
