// A file of --junit as another program reads it: Python's parser of XML.
#pragma once

#include <string>

#include "tests/headless/bench_process.h"

namespace n2nq::test {

// {"counts": {...}, "suites": {NAME: {"properties": {...}, "cases": {NAME: {"outcome", "type", "message", "text",
// "time"}}}}}, in no order; an empty object where it cannot be read, or where its counts are wrong.
inline Json read_junit(const std::string& path) {
  static constexpr const char* kRead = R"(
import json, sys, xml.etree.ElementTree as tree
root = tree.parse(sys.argv[1]).getroot()
assert root.tag == 'testsuites'
kinds = {'failures': 'failure', 'errors': 'error', 'skipped': 'skipped'}
def counts(node):
    found = {name: len(list(node.iter(tag))) for name, tag in kinds.items()}
    found['tests'] = len(list(node.iter('testcase')))
    assert found == {name: int(node.get(name, found[name])) for name in found}, (found, node.attrib)
    return found
suites = {}
for suite in root.findall('testsuite'):
    counts(suite)
    cases = {}
    for case in suite.findall('testcase'):
        assert case.get('classname') == suite.get('name') and case.get('name') not in cases
        said = [node for node in case if node.tag in kinds.values()]
        assert len(said) < 2
        node = said[0] if said else tree.Element('passed')
        cases[case.get('name')] = {'outcome': node.tag, 'type': node.get('type'), 'message': node.get('message'),
                                   'text': node.text or case.findtext('system-out'), 'time': float(case.get('time'))}
    assert suite.get('name') not in suites
    suites[suite.get('name')] = {'cases': cases, 'properties':
        {one.get('name'): one.get('value') for one in suite.findall('properties/property')}}
print(json.dumps({'counts': counts(root), 'suites': suites}))
)";
  Process python({"/usr/bin/env", "python3", "-c", kRead, path});
  const auto exit = python.wait_exit(20s);
  EXPECT_TRUE(exit && exit->code == 0) << python.err();
  return Json::parse(python.out(), nullptr, false).is_object() ? Json::parse(python.out()) : Json::object();
}

}  // namespace n2nq::test
