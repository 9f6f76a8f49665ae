const bells = [{ name: 'ben', of: 'bronze' }, { name: 'hum', of: 'iron' }, { name: 'emmanuel', of: 'bronze' }]
const names = _(bells).sortBy('name').groupBy('of').mapValues((group) => _.map(group, 'name')).value()
document.getElementById('seen').textContent = JSON.stringify(names)
