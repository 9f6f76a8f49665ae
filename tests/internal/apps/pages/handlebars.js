const template = Handlebars.compile('<ul>{{#each bells}}<li>{{name}}</li>{{/each}}</ul>')
document.getElementById('app').innerHTML = template({ bells: [{ name: 'emmanuel' }, { name: 'ben &' }] })
